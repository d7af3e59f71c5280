extension XMLTidying {
  /// More attributes of one element are left out.
  private static let attributeLimit = 64

  /// Takes the attributes of a start tag and steps over its end; returns whether it is an empty
  /// element.
  ///
  /// Values may be without quotes, and quotes without an end. A name counts once.
  mutating func takeAttributes() -> Bool {
    var names: [Range<Int>] = []
    while position < source.count {
      switch source[position] {
      case UInt8(ascii: ">"):
        position += 1
        return false
      case UInt8(ascii: "<"): return false
      case UInt8(ascii: "/"):
        position += 1
        if position < source.count, source[position] == UInt8(ascii: ">") {
          position += 1
          return true
        }
      case _:
        guard let name = name(at: position) else {
          position += 1
          continue
        }
        takeAttribute(name, besides: &names)
      }
    }
    return false
  }

  private mutating func takeAttribute(_ name: Range<Int>, besides names: inout [Range<Int>]) {
    let start = result.count
    position = name.upperBound
    result.append(UInt8(ascii: " "))
    result.append(contentsOf: source[name])
    result.append(contentsOf: "=\"".utf8)
    skipBlanks()
    if position < source.count, source[position] == UInt8(ascii: "=") {
      position += 1
      skipBlanks()
      takeValue()
    }
    result.append(UInt8(ascii: "\""))
    let isKnown = names.contains { source[$0].elementsEqual(source[name]) }
    if isKnown || names.count >= Self.attributeLimit {
      result.removeSubrange(start...)
    } else {
      names.append(name)
    }
  }

  private mutating func takeValue() {
    guard position < source.count else { return }
    let quote = source[position]
    if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      position += 1
      if let end = end(ofQuote: quote) {
        takeValue(upTo: end)
        position = end + 1
        return
      }
    }
    var end = position
    while end < source.count, !Self.endsBareValue(source[end]) { end += 1 }
    // The slash of `<a href=b/>` belongs to the tag.
    if end < source.count, end > position, source[end] == UInt8(ascii: ">"),
      source[end - 1] == UInt8(ascii: "/")
    {
      end -= 1
    }
    takeValue(upTo: end)
  }

  private mutating func takeValue(upTo end: Int) {
    while position < end {
      switch source[position] {
      case UInt8(ascii: "&"): takeReference()
      case UInt8(ascii: "<"):
        result.append(contentsOf: "&#60;".utf8)
        position += 1
      case UInt8(ascii: "\""):
        result.append(contentsOf: "&#34;".utf8)
        position += 1
      case _:
        var next = position
        while next < end, !Self.isSpecialInValue(source[next]) { next += 1 }
        takeText(upTo: next)
      }
    }
  }

  /// Where a quoted value ends: at its quote, before any line that begins another tag.
  private func end(ofQuote quote: UInt8) -> Int? {
    var end = position
    while end < source.count {
      if source[end] == quote { return end }
      // A value that has grown this long without its quote has lost it.
      if source[end] == UInt8(ascii: "<"), end - position > Self.valueLimit { return nil }
      end += 1
    }
    return nil
  }

  /// Longer values, such as pictures within an address, hold no `<`.
  private static let valueLimit = 4096

  private mutating func skipBlanks() {
    while position < source.count, source[position] <= 0x20 { position += 1 }
  }

  private static func endsBareValue(_ byte: UInt8) -> Bool {
    byte <= 0x20 || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "<")
  }

  private static func isSpecialInValue(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "&") || byte == UInt8(ascii: "<") || byte == UInt8(ascii: "\"")
  }
}
