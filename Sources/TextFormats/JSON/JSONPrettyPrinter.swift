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
  /// The bytes that are collected before they are passed on.
  private static let pieceSize = 1 << 16

  private(set) var text = ""
  private var indentation = 0

  /// Writes a document, followed by a line break.
  mutating func write(document value: JSONValue) {
    write(value, isRoot: true, column: 0)
    text += "\n"
  }

  /// Writes a document with a long list, piece by piece.
  ///
  /// - Parameters:
  ///   - root: The document; the list is empty in it.
  ///   - key: The member that is the list; nil if the document is.
  ///   - flush: Called again and again with what comes next.
  mutating func write<Failure: Error>(
    document root: JSONValue, listAt key: String?, _ elements: some Collection<JSONValue>,
    flush: (String) throws(Failure) -> Void
  ) throws(Failure) {
    if case .object(let members) = root, let key {
      text += "{"
      indentation += 2
      for (index, member) in members.enumerated() {
        text += index == 0 ? "\n" : ",\n"
        let name = Self.scalar(.string(member.key)) + ": "
        text += String(repeating: " ", count: indentation) + name
        let column = indentation + name.unicodeScalars.count
        if member.key == key {
          try write(list: elements, room: Self.columns - column - 1, flush: flush)
        } else {
          write(member.value, isRoot: false, column: column)
        }
      }
      indentation -= 2
      text += "\n}"
    } else {
      try write(list: elements, room: 0, flush: flush)
    }
    text += "\n"
    try flush(text)
    text = ""
  }

  private mutating func write<Failure: Error>(
    list elements: some Collection<JSONValue>, room: Int, flush: (String) throws(Failure) -> Void
  ) throws(Failure) {
    // More have no room on a line.
    let first = Array(elements.prefix(Self.columns))
    if first.isEmpty || first.count < Self.columns,
      let line = line(.array(first), room: first.isEmpty ? Self.columns : room)
    {
      text += line
      return
    }
    text += "["
    indentation += 2
    var isFirst = true
    for element in elements {
      text += isFirst ? "\n" : ",\n"
      isFirst = false
      text += String(repeating: " ", count: indentation)
      write(element, isRoot: false, column: indentation)
      guard text.utf8.count > Self.pieceSize else { continue }
      try flush(text)
      text = ""
    }
    indentation -= 2
    text += "\n" + String(repeating: " ", count: indentation) + "]"
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

  /// Writes a file that people edit, piece by piece: a document with a list that may be long.
  ///
  /// - Parameters:
  ///   - key: The member that is the list, and empty in this value; nil if the document is the list.
  ///   - isVisible: Whether to write escapes even for controls that JSON does not require to be escaped.
  ///   - write: Called with one piece after the other.
  package func writeFile<Failure: Error>(
    listAt key: String?, _ elements: some Collection<JSONValue>, isVisible: Bool = false,
    _ write: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    var printer = JSONPrettyPrinter()
    try printer.write(document: self, listAt: key, elements) { text throws(Failure) in
      try write(Array((isVisible ? JSONWriter.escaped(json: text) : text).utf8))
    }
  }

  /// The same as `fileBytes`, with escapes even for controls that JSON does not require to be escaped,
  /// since the output may reach a terminal. It reads back as the same value.
  package var visibleFileBytes: [UInt8] {
    Array(JSONWriter.escaped(json: String(decoding: fileBytes, as: UTF8.self)).utf8)
  }
}
