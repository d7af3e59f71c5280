/// A position in a text as editors count it: lines and characters, both from 1.
package struct TextPosition: Hashable, Sendable, CustomStringConvertible {
  package var line: Int
  package var column: Int

  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// The position of the byte at `offset`.
  package init(offset: Int, in text: [UInt8]) {
    let before = text[..<min(offset, text.count)]
    let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    line = before.count { $0 == UInt8(ascii: "\n") } + 1
    column = String(decoding: before[lineStart...], as: UTF8.self).count + 1
  }

  package var description: String { "line \(line), column \(column)" }
}

/// The reason why a document cannot be read: one line for people, and where in the text it applies.
package struct DocumentError: Error, Hashable, Sendable, CustomStringConvertible {
  package let position: TextPosition
  /// The path of the value, such as `tags[3].limit`; empty for the document as a whole.
  package let path: String
  /// The reason alone, in lower case.
  package let message: String

  package init(position: TextPosition, path: String = "", message: String) {
    self.position = position
    self.path = path
    self.message = message
  }

  package init(position: TextPosition, path: String = "", expected: String, found: String) {
    self.init(position: position, path: path, message: "expected \(expected), found \(found)")
  }

  /// The reason after the path of the value.
  package var pathAndMessage: String { path.isEmpty ? message : "\(path): \(message)" }

  package var description: String { "\(position): \(pathAndMessage)" }
}
