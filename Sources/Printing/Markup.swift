internal import TextFormats

/// The text and addresses of markup, which posts must not be able to write themselves.
enum Markup {
  /// Appends a remote text as content or attribute of HTML or XML.
  static func append(_ text: String, to bytes: inout [UInt8]) {
    var visible: [UInt8] = []
    visible.reserveCapacity(text.utf8.count)
    ControlCodes.append(text, isSingleLine: false, to: &visible)
    var index = visible.startIndex
    while index < visible.endIndex {
      let byte = visible[index]
      switch byte {
      // U+FFFE and U+FFFF are characters of no XML document.
      case 0xEF
      where visible[index...].starts(with: [0xEF, 0xBF, 0xBE])
        || visible[index...].starts(with: [0xEF, 0xBF, 0xBF]):
        index += 2
      default: MarkupEscape.append(byte, to: &bytes)
      }
      index += 1
    }
  }

  /// True if an address can be followed safely: http or https, in visible ASCII without quotation marks
  /// and angle brackets.
  static func isSafeAddress(_ text: some StringProtocol) -> Bool {
    (text.hasPrefix("https://") || text.hasPrefix("http://"))
      && text.utf8.allSatisfy { byte in
        byte > 0x20 && byte < 0x7F
          && ![UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\"")].contains(byte)
      }
  }

  /// A part of a text: an address that can be followed, or what lies between addresses.
  enum Part: Hashable {
    case text(Substring)
    case address(Substring)
  }

  /// Returns the parts of a text.
  static func parts(of text: String) -> [Part] {
    guard text.contains("://") else { return [.text(text[...])] }
    var parts: [Part] = []
    var rest = text[...]
    while let range = addressRange(in: rest) {
      if range.lowerBound > rest.startIndex { parts.append(.text(rest[..<range.lowerBound])) }
      parts.append(.address(rest[range]))
      rest = rest[range.upperBound...]
    }
    if !rest.isEmpty { parts.append(.text(rest)) }
    return parts
  }

  /// Returns the first address in a text, without the punctuation after it.
  static func addressRange(in text: Substring) -> Range<Substring.Index>? {
    let utf8 = text.utf8
    var start = utf8.startIndex
    while let candidate = utf8[start...].firstIndex(of: UInt8(ascii: "h")) {
      let run = utf8[candidate...].prefix {
        $0 > 0x20 && $0 < 0x7F && $0 != 0x3C && $0 != 0x3E && $0 != 0x22
      }
      let isWordStart =
        candidate == utf8.startIndex || !utf8[utf8.index(before: candidate)].isASCIILetterOrDigit
      var address = text[candidate..<run.endIndex]
      while let last = address.utf8.last, closing.contains(last) {
        // A parenthesis that the address itself opened belongs to it.
        if last == UInt8(ascii: ")"), address.utf8.contains(UInt8(ascii: "(")) { break }
        address.removeLast()
      }
      if isWordStart, isSafeAddress(address), !address.hasSuffix("//") {
        return candidate..<address.endIndex
      }
      start = utf8.index(after: candidate)
    }
    return nil
  }

  private static let closing = Array(".,:;!?)]}'*_~".utf8)
}
