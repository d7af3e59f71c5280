extension JSONValue {
  /// Reads a whole document; what RFC 8259 does not allow is refused, not mended.
  ///
  /// Arrays and objects may lie `JSONDiagnosis.maximumDepth` deep.
  package init(reading text: [UInt8]) throws(JSONSyntaxError) {
    do {
      self = try Self.tree(of: text, numbers: Self.numbers(in: text))
    } catch let refusal {
      if let fault = JSONDiagnosis.fault(in: text) { throw fault }
      // It is JSON, so what simdjson minds is a number that it cannot hold. Only spellings are wanted
      // here: a number in a member that nobody reads must not make the file unreadable.
      let numbers = Self.numbers(in: text)
      do {
        self = try Self.tree(
          of: Self.withoutLargeNumbers(text, numbers), numbers: numbers, spelledIn: text)
      } catch {
        throw JSONSyntaxError(
          position: JSONPosition(line: 1, column: 1), expected: "JSON", found: "\(refusal)")
      }
    }
  }

  private static func tree(
    of text: [UInt8], numbers: [JSONNumberToken], spelledIn source: [UInt8]? = nil
  ) throws -> JSONValue {
    var numbers = numbers[...]
    return try JSON.readStrictly(text) { root in
      value(of: root, numbers: &numbers, source: source ?? text)
    }
  }

  /// Builds the value of a node. simdjson bounds the depth of the document, and so of the recursion.
  private static func value(
    of node: JSONNode, numbers: inout ArraySlice<JSONNumberToken>, source: [UInt8]
  ) -> JSONValue {
    switch node.kind {
    case .null: return .null
    case .bool: return .bool(node.bool ?? false)
    case .string: return .string(node.wholeString ?? "")
    case .number: return .number(numbers.popFirst()?.spelling(in: source) ?? "0")
    case .array:
      var elements: [JSONValue] = []
      for element in node.elements {
        elements.append(value(of: element, numbers: &numbers, source: source))
      }
      return .array(elements)
    case .object:
      var members: [JSONMember] = []
      for (key, member) in node.members {
        members.append(
          JSONMember(key.wholeString ?? "", value(of: member, numbers: &numbers, source: source)))
      }
      return .object(members)
    }
  }

  /// The numbers of a document in their order, which is that of simdjson's tape.
  private static func numbers(in text: [UInt8]) -> [JSONNumberToken] {
    var numbers: [JSONNumberToken] = []
    var position = 0
    while position < text.count {
      let byte = text[position]
      if byte == UInt8(ascii: "\"") {
        position += 1
        while position < text.count, text[position] != UInt8(ascii: "\"") {
          position += text[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        position += 1
      } else if JSONNumberToken.begins(with: byte) {
        numbers.append(JSONNumberToken(in: text, at: position))
        position = numbers[numbers.count - 1].range.upperBound
      } else {
        position += 1
      }
    }
    return numbers
  }

  /// The text with a 0 in the place of each number that simdjson cannot hold; no place is moved.
  private static func withoutLargeNumbers(
    _ text: [UInt8], _ numbers: [JSONNumberToken]
  ) -> [UInt8] {
    var text = text
    for number in numbers where number.isOutOfRange(in: text) {
      for position in number.range { text[position] = UInt8(ascii: " ") }
      text[number.range.lowerBound] = UInt8(ascii: "0")
    }
    return text
  }
}
