/// Swift source with its comments, and the words in its string literals, left out.
///
/// Line breaks stay, so that lines keep their numbers; so do interpolations, which are code.
struct SwiftCode {
  // Bytes, since reading all of the code as characters takes several seconds.
  private let source: [UInt8]
  private var position = 0
  private var code: [UInt8] = []

  /// Returns the code of a source.
  static func only(in source: String) -> String {
    var reader = SwiftCode(source: Array(source.utf8))
    reader.readCode(inParentheses: false)
    return String(decoding: reader.code, as: UTF8.self)
  }

  private init(source: [UInt8]) { self.source = source }

  private func isAt(_ text: [UInt8]) -> Bool {
    guard position < source.count, source[position] == text[0] else { return false }
    return source[position...].starts(with: text)
  }

  private static let comment = Array("//".utf8)
  private static let blockComment = Array("/*".utf8)
  private static let endOfBlockComment = Array("*/".utf8)
  private static let quotationMark = Array("\"".utf8)
  private static let multilineMark = Array("\"\"\"".utf8)
  private static let newline = UInt8(ascii: "\n")

  private mutating func readCode(inParentheses: Bool) {
    var depth = 0
    while position < source.count {
      if isAt(Self.comment) {
        while position < source.count, source[position] != Self.newline { position += 1 }
      } else if isAt(Self.blockComment) {
        skipBlockComment()
      } else if let hashes = hashesOfLiteral() {
        readLiteral(hashes: hashes)
      } else {
        let byte = source[position]
        if byte == UInt8(ascii: "(") { depth += 1 }
        if byte == UInt8(ascii: ")") { depth -= 1 }
        if inParentheses, depth < 0 { return }
        code.append(byte)
        position += 1
      }
    }
  }

  private mutating func skipBlockComment() {
    var depth = 0
    repeat {
      if isAt(Self.blockComment) {
        depth += 1
        position += 2
      } else if isAt(Self.endOfBlockComment) {
        depth -= 1
        position += 2
      } else {
        if source[position] == Self.newline { code.append(Self.newline) }
        position += 1
      }
    } while depth > 0 && position < source.count
  }

  /// The number of `#` before the quotation mark of a literal that begins here, or nil.
  private func hashesOfLiteral() -> Int? {
    var quote = position
    while quote < source.count, source[quote] == UInt8(ascii: "#") { quote += 1 }
    return quote < source.count && source[quote] == Self.quotationMark[0] ? quote - position : nil
  }

  private mutating func readLiteral(hashes: Int) {
    position += hashes
    let mark = isAt(Self.multilineMark) ? Self.multilineMark : Self.quotationMark
    position += mark.count
    let signs = [UInt8](repeating: UInt8(ascii: "#"), count: hashes)
    let end = mark + signs
    let escape = [UInt8(ascii: "\\")] + signs
    let interpolation = escape + Array("(".utf8)
    code += Self.quotationMark
    while position < source.count, !isAt(end) {
      if isAt(interpolation) {
        position += interpolation.count
        code.append(UInt8(ascii: "("))
        readCode(inParentheses: true)
        code.append(UInt8(ascii: ")"))
        position += 1
      } else if isAt(escape) {
        position += escape.count + 1
      } else {
        if source[position] == Self.newline { code.append(Self.newline) }
        position += 1
      }
    }
    position += end.count
    code += Self.quotationMark
  }
}
