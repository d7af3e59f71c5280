extension JSONWriter {
  /// Writes a string whose DEL, C1, bidirectional and other invisible controls are escapes too.
  ///
  /// JSON asks that for C0 only, but what is written may reach a terminal. It reads back as the same
  /// text.
  package mutating func visibleString(_ text: String) {
    let isDone = unsafe text.utf8.withContiguousStorageIfAvailable { utf8 in
      guard unsafe !Self.needsMoreEscapes(utf8) else { return false }
      unsafe string(utf8)
      return true
    }
    if isDone != true { raw(Self.escaped(text)) }
  }

  private static func needsMoreEscapes(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
    var position = 0
    while position < utf8.count {
      unsafe position = ControlCodes.firstCode(in: utf8, from: position)
      // C0 is the writer's own work.
      guard position < utf8.count, unsafe utf8[position] < 0x20 else {
        return position < utf8.count
      }
      position += 1
    }
    return false
  }

  private static func escaped(_ text: String) -> String {
    var plain = JSONWriter()
    plain.string(text)
    return escaped(json: String(decoding: plain.bytes, as: UTF8.self))
  }

  /// Escapes the controls that JSON itself may hold: they can stand in its strings only, but for the
  /// line breaks between its values.
  fileprivate static func escaped(json: String) -> String {
    var escaped = ""
    for scalar in json.unicodeScalars {
      guard scalar != "\n", ControlCodes.isControl(scalar) else {
        escaped.unicodeScalars.append(scalar)
        continue
      }
      for unit in String(scalar).utf16 {
        let digits = String(unit, radix: 16)
        escaped += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }
    }
    return escaped
  }
}

extension JSONValue {
  /// The same as `fileBytes`, with escapes for the controls that JSON lets stand as they are: what is
  /// written may reach a terminal, and reads back as the same.
  package var visibleFileBytes: [UInt8] {
    Array(JSONWriter.escaped(json: String(decoding: fileBytes, as: UTF8.self)).utf8)
  }
}
