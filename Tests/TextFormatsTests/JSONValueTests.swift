import Testing
import TextFormats

@Suite struct JSONValueTests {
  private func fault(_ bytes: [UInt8]) -> DocumentError? {
    do throws(DocumentError) {
      _ = try JSONValue(reading: bytes)
      return nil
    } catch {
      return error
    }
  }

  @Test func `Order, spelling and repeated keys are kept`() throws {
    let text =
      #"{"z":1.50,"a":[1e3,-0,0.1E-2,123456789012345678901234567890,1e999],"":null,"a":"\"3\"","b":{"é":true}}"#
    let value = try JSONValue(reading: Array(text.utf8))
    #expect(String(decoding: value.bytes, as: UTF8.self) == text)
  }

  @Test(arguments: [
    ("", 1, 1, "a value", "the end"),
    ("\n  ", 2, 3, "a value", "the end"),
    ("[1, 2", 1, 6, "a comma or ]", "the end"),
    ("[1,]", 1, 4, "a value", "]"),
    ("{\n  \"é\": 1,\n}", 3, 1, "a key in quotation marks", "}"),
    ("{\"a\" 1}", 1, 6, "a colon", "1"),
    ("{\"👩‍👩‍👧é\": x}", 1, 8, "a value", "x"),
    ("{a: 1}", 1, 2, "a key in quotation marks or }", "a"),
    ("[True]", 1, 2, "a value or ]", "True"),
    ("[1] [2]", 1, 5, "the end of the text", "["),
    ("[01]", 1, 3, "a number such as 12, -0.5 or 1e3", "1"),
    ("[\"a\nb\"]", 1, 4, "the string to end, or an escape such as \\n", "the end of the line"),
    ("[\"abc]", 1, 2, "a string with a quotation mark at its end", "one without"),
    ("[\"\\x\"]", 1, 3, "an escape such as \\n, \\\" or \\u00e9", "\\"),
    ("[\"a\\ud83d\"]", 1, 4, "a pair of surrogates", "half of one"),
    ("\u{FEFF}[]", 1, 1, "a value", "a byte order mark"),
  ])
  func `The first error is reported with its position`(
    text: String, line: Int, column: Int, expected: String, found: String
  ) {
    #expect(
      fault(Array(text.utf8))
        == DocumentError(
          position: TextPosition(line: line, column: column), expected: expected, found: found))
  }

  @Test func `Bytes that are not UTF-8 are refused`() {
    let fault = fault(Array("[\n\"ab".utf8) + [0xC3] + Array("\"]".utf8))
    #expect(fault?.description == "line 2, column 4: expected UTF-8, found the byte 0xc3")
  }

  @Test func `A pair of surrogates is one character`() throws {
    #expect(try JSONValue(reading: Array(#""\ud83d\ude00""#.utf8)) == .string("😀"))
    #expect(fault(Array(#"["\ud83d\ude00",]"#.utf8))?.position.column == 17)
  }

  @Test func `Depth is limited, at no cost of stack`() throws {
    let deepest = String(repeating: "[", count: 1024) + String(repeating: "]", count: 1024)
    #expect(try JSONValue(reading: Array(deepest.utf8)).bytes == Array(deepest.utf8))
    #expect(try !JSONValue(reading: Array(deepest.utf8)).fileBytes.isEmpty)
    #expect(
      fault(Array("[\(deepest)]".utf8))?.message
        == "expected at most 1024 levels of arrays and objects, found [")
    #expect(fault([UInt8](repeating: UInt8(ascii: "["), count: 4 << 20))?.position.column == 1025)
  }

  @Test func `Files have short objects on one line`() throws {
    let text = """
      {
        "version": 1,
        "tags": [
          { "query": "#swiftlang", "sources": ["mastodon", "bluesky"], "limit": 40, "x": {} },
          { "query": "a/b é" },
          {
            "query": "\(String(repeating: "long ", count: 16))",
            "sources": ["mastodon"],
            "list": [
              { "a": [] }
            ]
          },
          "plain"
        ],
        "empty": []
      }

      """
    let value = try JSONValue(reading: Array(text.utf8))
    #expect(String(decoding: value.fileBytes, as: UTF8.self) == text)
  }

  @Test func `No line of short values is longer than a hundred columns`() {
    for count in 60..<110 {
      let value = JSONValue.array([
        .object([JSONMember("k", .string(String(repeating: "x", count: count)))])
      ])
      let lines = String(decoding: value.fileBytes, as: UTF8.self).split(separator: "\n")
      #expect(lines.count == (lines[1].hasPrefix("  { ") ? 3 : 5))
      if lines.count == 3 { #expect(lines[1].count <= 99) }
    }
  }

  @Test func `Every escape is read`() throws {
    let text = #"["\"\\\/\b\f\n\r\t\u00e9\uD83D\uDE00", "", "a\u0000b"]"#
    let elements: [JSONValue] = [
      .string("\"\\/\u{8}\u{C}\n\r\té😀"), .string(""), .string("a\0b"),
    ]
    #expect(try JSONValue(reading: Array(text.utf8)) == .array(elements))
  }
}
