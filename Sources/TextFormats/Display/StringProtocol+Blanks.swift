extension StringProtocol {
  /// The text without blanks at its ends.
  package var trimmed: Substring { Substring(self).withoutOuterBlanks }

  /// The text on one line, with runs of blanks as one, and none at its ends.
  package var onOneLine: String { String(self).withSingleBlanks }
}

// Of one type, and by bytes where they can tell: looking at characters takes twenty times as long.

extension Substring {
  fileprivate var withoutOuterBlanks: Substring {
    var text = self
    while let byte = text.utf8.first, byte.isASCIIBlank || byte >= 0x80 && text.beginsWithBlank {
      text.removeFirst()
    }
    while let byte = text.utf8.last, byte.isASCIIBlank || byte >= 0x80 && text.endsWithBlank {
      text.removeLast()
    }
    return text
  }

  private var beginsWithBlank: Bool { first?.isWhitespace == true }
  private var endsWithBlank: Bool { last?.isWhitespace == true }
}

extension String {
  fileprivate var withSingleBlanks: String {
    var line: [UInt8] = []
    line.reserveCapacity(utf8.count)
    var isAfterBlank = false
    for byte in utf8 {
      guard byte < 0x80 else {
        return split(whereSeparator: \.isWhitespace).joined(separator: " ")
      }
      if byte.isASCIIBlank {
        isAfterBlank = true
        continue
      }
      if isAfterBlank, !line.isEmpty { line.append(0x20) }
      isAfterBlank = false
      line.append(byte)
    }
    return String(decoding: line, as: UTF8.self)
  }
}
