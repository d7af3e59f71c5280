import TestSupport
import Testing
import TextFormats

@Suite struct ControlCodesTests {
  @Test(arguments: [
    ("plain — “text” 日本 👩‍👩‍👧‍👦 ❤️", "plain — “text” 日本 👩‍👩‍👧‍👦 ❤️"),
    ("two\nlines\r\nand\rmore\tx", "two\nlines\nand\nmore x"),
    ("\u{0}a\u{7}b\u{8}c\u{B}d\u{C}e\u{7F}f", "abcdef"),
    ("\u{1B}[1;31mred\u{1B}[0m \u{1B}[?25lx\u{1B}[2 qy", "red xy"),
    ("\u{1B}]0;title\u{7}a\u{1B}]8;;https://e\u{1B}\\b\u{1B}]8;;\u{9C}c", "abc"),
    ("\u{1B}P1$r0m\u{1B}\\a\u{1B}Xsos\u{1B}\\b\u{1B}^pm\u{1B}\\c\u{1B}_apc\u{1B}\\d", "abcd"),
    ("\u{1B}(Ba\u{1B}7b\u{1B}cc\u{1B}#8d", "abcd"),
    ("\u{9B}31ma\u{9D}0;t\u{7}b\u{90}q\u{9C}c\u{85}d\u{80}e\u{9F}f\u{9C}g", "abc\ndeg"),
    ("a\u{202A}b\u{202E}c\u{2066}d\u{2069}e\u{200E}f\u{200F}g\u{61C}h", "abcdefgh"),
    ("a\u{2028}b\u{2029}c", "a\nb\nc"),
    ("\u{FEFF}a\u{E0001}\u{E0061}b", "ab"),
    ("unended \u{1B}]0;stays", "unended 0;stays"),
    ("cut \u{1B}[31", "cut "), ("end \u{1B}", "end "), ("\u{1B}\u{1B}[1mx", "x"),
    ("\u{1B}[31\nm", "\nm"), ("\u{1B}é", "é"), ("\u{9B}", ""),
    ("\u{A0}\u{2010}\u{601}é", "\u{A0}\u{2010}\u{601}é"),
  ])
  func `Control codes are removed together with their arguments`(text: String, clean: String) {
    let stripped = ControlCodes.stripped(text)
    #expect(Array(stripped.unicodeScalars) == Array(clean.unicodeScalars))
    #expect(ControlCodes.stripped(stripped) == stripped)
  }

  @Test(arguments: 0x206A...0x206F as ClosedRange<UInt32>)
  func `Deprecated format controls are removed`(value: UInt32) throws {
    let control = String(try #require(Unicode.Scalar(value)))
    #expect(ControlCodes.stripped("a\(control)b") == "ab")
    #expect(ControlCodes.strippedToLine(control).isEmpty)
  }

  @Test func `A single line has no break of any kind`() {
    #expect(
      ControlCodes.strippedToLine("a\nb\r\nc\rd\u{85}e\u{2028}f\u{2029}g\th") == "a b c d e f g h")
  }

  @Test func `No mixture of codes leaves a control behind`() {
    let pieces = [
      "\u{1B}", "[", "]", "P", "0;", "m", "\u{7}", "\u{9B}", "\u{9D}", "\u{9C}", "\\", "é", "日",
      "\u{202E}", "\n", "\r", "abcdefgh", "\u{7F}", "\u{2066}", "’",
    ]
    var random = SeededRandom(seed: 1)
    for _ in 0..<3_000 {
      var text = ""
      for _ in 0..<12 { text += pieces.randomElement(using: &random) ?? "" }
      for scalar in ControlCodes.stripped(text).unicodeScalars where scalar != "\n" {
        #expect(scalar.properties.generalCategory != .control, "\(text.debugDescription)")
        #expect(!scalar.properties.isBidiControl, "\(text.debugDescription)")
      }
    }
  }

  @Test(arguments: ["\u{1}", "\u{7F}", "\u{85}", "\u{61C}", "\u{202E}", "\u{FEFF}", "\u{E0041}"])
  func `A control code is found at each place of a text of each length`(code: String) {
    // Neither blanks nor the characters that begin like control codes hide it, or count as one.
    for filling in ["a", "~", " ", "é", "\u{A0}", "\u{2010}", "\u{FF03}", "\u{E0100}", "\"", "\\"] {
      for length in 0...40 {
        let text = String(repeating: filling, count: length)
        #expect(ControlCodes.stripped(text) == text)
        for place in 0...length {
          let index = text.unicodeScalars.index(text.startIndex, offsetBy: place)
          let spoiled = "\(text[..<index])\(code)\(text[index...])"
          let stripped = ControlCodes.stripped(spoiled)
          #expect(
            code == "\u{85}" ? stripped.contains("\n") : stripped == text, "\(place) of \(length)")
          var json = JSONWriter()
          json.visibleString(spoiled)
          let bytes = json.bytes
          #expect(bytes.firstRange(of: Array("\\u".utf8)) != nil, "\(place) of \(length)")
          #expect(bytes == member(spoiled), "\(place) of \(length)")
          #expect(block(of: spoiled) == Array(stripped.utf8), "\(place) of \(length)")
        }
        var json = JSONWriter()
        json.visibleString(text)
        let bytes = json.bytes
        let escaped =
          "\"" + String(text.flatMap { "\"\\".contains($0) ? ["\\", $0] : [$0] }) + "\""
        #expect(bytes == Array(escaped.utf8) && bytes == member(text), "\(length)")
        #expect(block(of: text) == Array(text.utf8), "\(length)")
      }
    }
  }

  /// A text without control codes, as it is appended to a block that has no room left.
  private func block(of text: String) -> [UInt8] {
    var text = text
    return text.withUTF8 { text in
      var block = ByteBlock(capacity: text.count)
      ControlCodes.append(text, isSingleLine: false, to: &block)
      return block.bytes
    }
  }

  /// The JSON string of a text that is written with its key.
  private func member(_ text: String) -> [UInt8] {
    var text = text
    return text.withUTF8 { text in
      var json = JSONWriter()
      json.member(JSONKey("k"), visible: text)
      json.member(JSONKey("k"), visible: text)
      let bytes = json.bytes
      let value = bytes.dropFirst(4).prefix((bytes.count - 9) / 2)
      #expect(bytes == Array("\"k\":".utf8) + value + Array(",\"k\":".utf8) + value)
      return Array(value)
    }
  }

  @Test func `A megabyte of unterminated strings takes linear time`() {
    let text = String(repeating: "\u{1B}]", count: 500_000)
    #expect(ControlCodes.stripped(text).isEmpty)
  }
}
