import SearchModel
import TestSupport
import Testing

@Suite struct QueryTermsTests {
  private func terms(_ text: String) throws -> [QueryTerm] { try #require(Query(text)).terms }

  @Test(
    arguments: [
      ("swift", [QueryTerm(.word, "swift")]),
      ("  two   words ", [QueryTerm(.word, "two"), QueryTerm(.word, "words")]),
      (#""data  race""#, [QueryTerm(.phrase, "data race")]),
      ("“curly” „low“", [QueryTerm(.phrase, "curly"), QueryTerm(.phrase, "low")]),
      ("#swift ＃日本", [QueryTerm(.tag, "swift"), QueryTerm(.tag, "日本")]),
      ("#c++ #1", [QueryTerm(.tag, "c++"), QueryTerm(.tag, "1")]),
      (
        "c# #b1  # ##2 #",
        [
          QueryTerm(.word, "c#"), QueryTerm(.tag, "b1"), QueryTerm(.word, "#"),
          QueryTerm(.word, "##2"), QueryTerm(.word, "#"),
        ]
      ),
      ("from:@Amy", [QueryTerm(.author, "Amy")]),
      ("FROM:amy@a.example", [QueryTerm(.author, "amy@a.example")]),
      (#"from:"Jon Skeet""#, [QueryTerm(.author, "Jon Skeet")]),
      ("lang:de Lang:pt-BR", [QueryTerm(.language, "de"), QueryTerm(.language, "pt")]),
      ("lang:iw", [QueryTerm(.language, "he")]),
      (
        #"a -b -"c d" -#e -from:f -lang:en"#,
        [
          QueryTerm(.word, "a"), QueryTerm(.word, "b", isExcluded: true),
          QueryTerm(.phrase, "c d", isExcluded: true), QueryTerm(.tag, "e", isExcluded: true),
          QueryTerm(.author, "f", isExcluded: true), QueryTerm(.language, "en", isExcluded: true),
        ]
      ),
      ("-@amy", [QueryTerm(.word, "@amy", isExcluded: true)]),
      // A number is excluded like a word.
      ("-5", [QueryTerm(.word, "5", isExcluded: true)]),
      (
        "-日本 -🚀",
        [
          QueryTerm(.word, "日本", isExcluded: true), QueryTerm(.word, "🚀", isExcluded: true),
        ]
      ),
    ] as [(String, [QueryTerm])])
  func `A query is parsed into terms`(text: String, expected: [QueryTerm]) throws {
    #expect(try terms(text) == expected)
  }

  @Test(arguments: [
    "C++", "a-b", ":)", "-", "--verbose", "->", "-)", "#", "##a", "#-", "@amy", "$TSLA", "OR",
    "AND", "NOT", "(swift", "or)", "foo:bar", "site:superuser", "https://a.example/b?c=d#e",
    "from:", "from:@", "lang:", "lang:english", "lang:e", "lang:de-", "lang:1", "5\"", "it's",
    "\"\"", "https://a.example/\"quoted\"",
  ])
  func `Anything that is not another term is a word, and nothing is lost`(text: String) throws {
    #expect(try terms(text) == [QueryTerm(.word, text)])
  }

  @Test(
    arguments: [
      (#""to the end"#, [QueryTerm(.phrase, "to the end")]),
      (
        #"a -"left out"#, [QueryTerm(.word, "a"), QueryTerm(.phrase, "left out", isExcluded: true)]
      ),
      (#""a"b"#, [QueryTerm(.phrase, "a"), QueryTerm(.word, "b")]),
      (#""  ""#, [QueryTerm(.word, "\"\"")]),
      (#"from:"" x"#, [QueryTerm(.word, "from:\"\""), QueryTerm(.word, "x")]),
      ("- a", [QueryTerm(.word, "-"), QueryTerm(.word, "a")]),
    ] as [(String, [QueryTerm])])
  func `Odd quotation marks and signs have a meaning, too`(text: String, expected: [QueryTerm])
    throws
  {
    #expect(try terms(text) == expected)
  }

  @Test func `The text stays as it was typed but for blanks around it, and decides equality`()
    throws
  {
    let query = try #require(Query(" #Swift  from:amy "))
    #expect(query.text == "#Swift  from:amy")
    #expect(query != Query("#Swift from:amy"))
    #expect(query == Query("#Swift  from:amy"))
    #expect(query.raw.text == query.text)
    #expect(query.raw.terms.isEmpty && query.raw.isRaw && query.raw != query)
    // In NFC, the terms with it.
    #expect(Query("e\u{301}")?.terms.first?.value.unicodeScalars.count == 1)
  }

  @Test func `Any input is parsed, and its written terms are parsed to the same`() throws {
    var random = SeededRandom(seed: 7)
    let pieces = [
      "a", "B", "é", "日", "5", " ", " ", "\"", "“", "-", "#", "＃", ":", "@", "from:", "lang:", "de",
      "lang:de", "from:\"", "(", ")", "OR", "\\", "🚀", "_", "$", ".", "\u{301}", "ß", "\u{3000}",
    ]
    for _ in 0..<4000 {
      let count = Int.random(in: 1...12, using: &random)
      let text = (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
      guard let query = Query(text) else { continue }
      #expect(!query.terms.isEmpty, "\(text)")
      #expect(query.terms.allSatisfy { !$0.value.isEmpty }, "\(text)")
      let written = query.terms.map(\.description).joined(separator: " ")
      #expect(Query(written)?.terms == query.terms, "\(text) is written \(written)")
      // Letters and digits are all there, but for a language's region.
      guard !query.terms.contains(where: { $0.kind == .language }) else { continue }
      let letters = { (text: String) in
        text.lowercased().unicodeScalars.filter { $0.properties.isAlphabetic || $0.value == 0x35 }
      }
      #expect(letters(written).elementsEqual(letters(query.text)), "\(text) is written \(written)")
    }
  }
}
