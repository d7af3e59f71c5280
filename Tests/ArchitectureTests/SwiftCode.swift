/// Swift source with its comments, and the words in its string literals, left out.
///
/// Line breaks stay, so that lines keep their numbers; so do interpolations, which are code.
struct SwiftCode {
  private let source: [Character]
  private var position = 0
  private var code = ""

  /// Returns the code of a source.
  static func only(in source: String) -> String {
    var reader = SwiftCode(source: Array(source))
    reader.readCode(inParentheses: false)
    return reader.code
  }

  private init(source: [Character]) { self.source = source }

  private func isAt(_ text: String) -> Bool {
    source[position...].starts(with: text)
  }

  private mutating func readCode(inParentheses: Bool) {
    var depth = 0
    while position < source.count {
      if isAt("//") {
        while position < source.count, source[position] != "\n" { position += 1 }
      } else if isAt("/*") {
        skipBlockComment()
      } else if let hashes = hashesOfLiteral() {
        readLiteral(hashes: hashes)
      } else {
        let character = source[position]
        if character == "(" { depth += 1 }
        if character == ")" { depth -= 1 }
        if inParentheses, depth < 0 { return }
        code.append(character)
        position += 1
      }
    }
  }

  private mutating func skipBlockComment() {
    var depth = 0
    repeat {
      if isAt("/*") {
        depth += 1
        position += 2
      } else if isAt("*/") {
        depth -= 1
        position += 2
      } else {
        if source[position] == "\n" { code.append("\n") }
        position += 1
      }
    } while depth > 0 && position < source.count
  }

  /// The number of `#` before the quotation mark of a literal that begins here, or nil.
  private func hashesOfLiteral() -> Int? {
    let hashes = source[position...].prefix { $0 == "#" }.count
    let quote = position + hashes
    return quote < source.count && source[quote] == "\"" ? hashes : nil
  }

  private mutating func readLiteral(hashes: Int) {
    position += hashes
    let mark = isAt("\"\"\"") ? "\"\"\"" : "\""
    position += mark.count
    let end = mark + String(repeating: "#", count: hashes)
    let escape = "\\" + String(repeating: "#", count: hashes)
    code += "\""
    while position < source.count, !isAt(end) {
      if isAt(escape + "(") {
        position += escape.count + 1
        code += "("
        readCode(inParentheses: true)
        code += ")"
        position += 1
      } else if isAt(escape) {
        position += escape.count + 1
      } else {
        if source[position] == "\n" { code.append("\n") }
        position += 1
      }
    }
    position += end.count
    code += "\""
  }
}
