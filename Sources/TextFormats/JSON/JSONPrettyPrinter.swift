/// Writes JSON for files that people edit: two spaces a level, short values on one line.
///
///     {
///       "version": 1,
///       "tags": [
///         { "query": "libcurl", "sources": ["mastodon", "bluesky"] }
///       ]
///     }
struct JSONPrettyPrinter {
  /// A value on one line ends by this column, its comma included.
  private static let columns = 100

  private(set) var text = ""
  private var indentation = 0

  /// Writes a document, followed by a line break.
  mutating func write(document value: JSONValue) {
    write(value, isRoot: true, column: 0)
    text += "\n"
  }

  private mutating func write(_ value: JSONValue, isRoot: Bool, column: Int) {
    if !isRoot, let line = line(value, room: Self.columns - column - 1) {
      text += line
      return
    }
    switch value {
    case .array(let elements) where !elements.isEmpty:
      writeLines("[", elements.count, "]") { printer, index in
        printer.write(elements[index], isRoot: false, column: printer.indentation)
      }
    case .object(let members) where !members.isEmpty:
      writeLines("{", members.count, "}") { printer, index in
        let key = Self.scalar(.string(members[index].key)) + ": "
        printer.text += key
        printer.write(
          members[index].value, isRoot: false,
          column: printer.indentation + key.unicodeScalars.count)
      }
    case .null, .bool, .number, .string, .array, .object: text += Self.scalar(value)
    }
  }

  private mutating func writeLines(
    _ opening: String, _ count: Int, _ closing: String,
    _ writeItem: (inout JSONPrettyPrinter, Int) -> Void
  ) {
    text += opening
    indentation += 2
    for index in 0..<count {
      text += index == 0 ? "\n" : ",\n"
      text += String(repeating: " ", count: indentation)
      writeItem(&self, index)
    }
    indentation -= 2
    text += "\n" + String(repeating: " ", count: indentation) + closing
  }

  /// The value on one line, or nil if it does not fit or is a list of objects or lists.
  private func line(_ value: JSONValue, room: Int) -> String? {
    guard room > 0 else { return nil }
    var line = ""
    switch value {
    case .array(let elements):
      for element in elements {
        switch element {
        case .array, .object: return nil
        case .null, .bool, .number, .string:
          line += (line.isEmpty ? "" : ", ") + Self.scalar(element)
        }
        guard line.unicodeScalars.count <= room else { return nil }
      }
      line = "[\(line)]"
    case .object(let members):
      for member in members {
        guard let value = self.line(member.value, room: room - line.utf8.count / 4) else {
          return nil
        }
        line += "\(line.isEmpty ? "" : ", ")\(Self.scalar(.string(member.key))): \(value)"
        guard line.unicodeScalars.count <= room else { return nil }
      }
      line = members.isEmpty ? "{}" : "{ \(line) }"
    case .null, .bool, .number, .string: line = Self.scalar(value)
    }
    return line.unicodeScalars.count <= room ? line : nil
  }

  private static func scalar(_ value: JSONValue) -> String {
    String(decoding: value.bytes, as: UTF8.self)
  }
}

extension JSONValue {
  /// The value as a file that people edit, as UTF-8, with a line break at its end.
  package var fileBytes: [UInt8] {
    var printer = JSONPrettyPrinter()
    printer.write(document: self)
    return Array(printer.text.utf8)
  }

  /// The same as `fileBytes`, with escapes even for controls that JSON does not require to be escaped,
  /// since the output may reach a terminal. It reads back as the same value.
  package var visibleFileBytes: [UInt8] {
    Array(JSONWriter.escaped(json: String(decoding: fileBytes, as: UTF8.self)).utf8)
  }
}
