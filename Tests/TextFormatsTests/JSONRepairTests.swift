import Testing
import TextFormats

@Suite struct JSONRepairTests {
  private func read<Result>(_ bytes: [UInt8], _ visit: (JSONNode) throws -> Result) throws -> Result
  {
    let padded = bytes + [UInt8](repeating: 0, count: JSON.spareBytes)
    return try padded.withUnsafeBytes {
      try JSON.read(padded: UnsafeRawBufferPointer(rebasing: $0[..<bytes.count]), visit)
    }
  }

  @Test func `A byte order mark is skipped`() throws {
    try read([0xEF, 0xBB, 0xBF] + Array(#"{"a":"b"}"#.utf8)) { #expect($0["a"]?.string == "b") }
  }

  @Test func `Invalid UTF-8 becomes replacement characters`() throws {
    let text = Array(#"{"a":"x"#.utf8) + [0xC3] + Array(#"","b":1}"#.utf8)
    try read(text) { root in
      #expect(root["a"]?.string == "x\u{FFFD}")
      #expect(root["b"]?.integer == 1)
    }
  }

  @Test(arguments: [
    (#"["\ud83d"]"#, "\u{FFFD}"), (#"["\ud83d!"]"#, "\u{FFFD}!"), (#"["\udc00x"]"#, "\u{FFFD}x"),
    (#"["\ud83d\ud83d\ude00"]"#, "\u{FFFD}😀"), (#"["\ud83d\u0041"]"#, "\u{FFFD}A"),
    (#"["\\\ud83d\\"]"#, "\\\u{FFFD}\\"),
  ])
  func `Half a surrogate pair becomes a replacement character`(text: String, value: String) throws {
    try read(Array(text.utf8)) { #expect($0.elements.map(\.string) == [value]) }
  }

  @Test func `Raw control characters in strings are read as themselves`() throws {
    try read(Array("[\"a\nb\u{0}c\u{1F}d\",\n1]".utf8)) { root in
      #expect(root.elements.map(\.kind) == [.string, .number])
      #expect(root.elements.compactMap(\.string) == ["a\nb\u{0}c\u{1F}d"])
    }
  }

  @Test func `A backslash that begins no escape is one`() throws {
    try read(Array(#"["a \ b", "\x\"\u12", "\\"]"#.utf8)) { root in
      #expect(root.elements.compactMap(\.string) == [#"a \ b"#, #"\x"\u12"#, #"\"#])
    }
  }

  @Test(arguments: ["1e999", "-1e999", "123456789012345678901234567890", "-9223372036854775809"])
  func `A number out of range becomes a string, and the rest is read`(
    number: String
  ) throws {
    try read(Array(#"{"a":[1,\#(number),2.5],"b":"1e999","c":true}"#.utf8)) { root in
      #expect(root["a"]?.elements.map(\.kind) == [.number, .string, .number])
      #expect(root["a"]?.elements.compactMap(\.string) == [number])
      #expect(root["c"]?.bool == true)
    }
  }

  @Test(arguments: [
    "{\"a\":\"\u{1}\"", "[\"\u{1}\",]", "[01]", "[1.]", "[+1]", "[NaN]",
    "[\"\u{1}", "\u{FEFF}",
  ])
  func `Broken structure still throws`(text: String) {
    #expect(throws: JSONError.self) { try read(Array(text.utf8)) { _ in } }
  }
}
