/// Finds the first place where a text is no JSON, for simdjson does not tell.
///
/// It runs only over a text that was refused. It keeps its own stack, so that a text of nothing but
/// brackets costs memory and no call depth.
struct JSONDiagnosis {
  /// Levels of arrays and objects within one another that simdjson reads.
  static let maximumDepth = 1024

  private enum Next { case value, valueOrEnd, keyOrEnd, key, colon, commaOrEnd }

  let text: [UInt8]
  private var offset = 0
  private var open: [UInt8] = []
  /// Whether the fault is a string without an end.
  private var isStringOpen = false

  /// Returns the first fault; nil when there is none.
  static func fault(in text: [UInt8]) -> JSONSyntaxError? {
    var diagnosis = JSONDiagnosis(text: text)
    do throws(JSONSyntaxError) {
      try diagnosis.checkEncoding()
      try diagnosis.scan()
      return nil
    } catch {
      return error
    }
  }

  /// Whether a text is the beginning of an array or object, which goes on behind its last byte.
  static func endsEarly(_ text: [UInt8]) -> Bool {
    var diagnosis = JSONDiagnosis(text: text)
    do throws(JSONSyntaxError) {
      try diagnosis.scan()
      return false
    } catch {
      return !diagnosis.open.isEmpty && diagnosis.isCut
    }
  }

  /// Whether what stands at the fault could go on rightly behind the end.
  private var isCut: Bool {
    let rest = text[offset...]
    if rest.isEmpty || isStringOpen { return true }
    if rest.first == UInt8(ascii: "\\") {
      // Two escapes of six bytes may make one character.
      return rest.count == 1 || rest.count < 12 && rest.dropFirst().first == UInt8(ascii: "u")
    }
    return ["true", "false", "null"].contains { $0.utf8.starts(with: rest) }
  }

  private init(text: [UInt8]) { self.text = text }

  private var byte: UInt8? { offset < text.count ? text[offset] : nil }

  private mutating func scan() throws(JSONSyntaxError) {
    var next = Next.value
    while true {
      while let byte, " \t\r\n".utf8.contains(byte) { offset += 1 }
      switch next {
      case .value: next = try scanValue(or: nil)
      case .valueOrEnd: next = try scanValue(or: UInt8(ascii: "]"))
      case .key, .keyOrEnd:
        if next == .keyOrEnd, byte == UInt8(ascii: "}") {
          next = close()
        } else if byte == UInt8(ascii: "\"") {
          try scanString()
          next = .colon
        } else {
          throw fault(next == .key ? "a key in quotation marks" : "a key in quotation marks or }")
        }
      case .colon:
        guard byte == UInt8(ascii: ":") else { throw fault("a colon") }
        offset += 1
        next = .value
      case .commaOrEnd:
        guard let bracket = open.last else {
          guard byte == nil else { throw fault("the end of the text") }
          return
        }
        if byte == UInt8(ascii: ",") {
          offset += 1
          next = bracket == UInt8(ascii: "{") ? .key : .value
        } else if byte == Self.closing(bracket) {
          next = close()
        } else {
          throw fault(bracket == UInt8(ascii: "{") ? "a comma or }" : "a comma or ]")
        }
      }
    }
  }

  private mutating func scanValue(or end: UInt8?) throws(JSONSyntaxError) -> Next {
    guard let byte else { throw fault(end == nil ? "a value" : "a value or ]") }
    if byte == end { return close() }
    switch byte {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      guard open.count < Self.maximumDepth else {
        throw fault("at most \(Self.maximumDepth) levels of arrays and objects")
      }
      open.append(byte)
      offset += 1
      return byte == UInt8(ascii: "{") ? .keyOrEnd : .valueOrEnd
    case UInt8(ascii: "\""): try scanString()
    case UInt8(ascii: "t") where word == "true", UInt8(ascii: "n") where word == "null": offset += 4
    case UInt8(ascii: "f") where word == "false": offset += 5
    case _ where JSONNumberToken.begins(with: byte):
      let number = JSONNumberToken(in: text, at: offset)
      if let place = number.fault {
        offset = place
        throw fault("a number such as 12, -0.5 or 1e3")
      }
      offset = number.range.upperBound
    case _: throw fault(end == nil ? "a value" : "a value or ]")
    }
    return .commaOrEnd
  }

  private mutating func close() -> Next {
    open.removeLast()
    offset += 1
    return .commaOrEnd
  }

  private mutating func scanString() throws(JSONSyntaxError) {
    let start = offset
    offset += 1
    while let byte {
      switch byte {
      case UInt8(ascii: "\""):
        offset += 1
        return
      case UInt8(ascii: "\\"): try scanEscape()
      case 0..<0x20: throw fault("the string to end, or an escape such as \\n")
      case _: offset += 1
      }
    }
    offset = start
    isStringOpen = true
    throw fault("a string with a quotation mark at its end", found: "one without")
  }

  private mutating func scanEscape() throws(JSONSyntaxError) {
    if let unit = JSONEscape.unit(in: text, at: offset) {
      let isHigh = (0xD800..<0xDC00).contains(unit)
      let low = JSONEscape.unit(in: text, at: offset + 6)
      let hasLow = low.map { (0xDC00...0xDFFF).contains($0) } ?? false
      if isHigh != hasLow && isHigh || (0xDC00...0xDFFF).contains(unit) {
        throw fault("a pair of surrogates", found: "half of one")
      }
      offset += isHigh ? 12 : 6
    } else if offset + 1 < text.count, "\"\\/bfnrt".utf8.contains(text[offset + 1]) {
      offset += 2
    } else {
      throw fault("an escape such as \\n, \\\" or \\u00e9")
    }
  }
}

extension JSONDiagnosis {
  private static func closing(_ bracket: UInt8) -> UInt8 {
    bracket == UInt8(ascii: "{") ? UInt8(ascii: "}") : UInt8(ascii: "]")
  }

  private mutating func checkEncoding() throws(JSONSyntaxError) {
    guard String(validating: text, as: UTF8.self) == nil else { return }
    var parser = Unicode.UTF8.ForwardParser()
    var bytes = text.makeIterator()
    while true {
      switch parser.parseScalar(from: &bytes) {
      case .valid(let scalar): offset += scalar.count
      case .emptyInput: return
      case .error: throw fault("UTF-8", found: "the byte 0x\(String(text[offset], radix: 16))")
      }
    }
  }

  /// The letters that stand here, or the one character.
  private var word: String {
    let letters = text[offset...].prefix(24).prefix {
      UnicodeScalar($0).properties.isAlphabetic && $0 < 0x80
    }
    if !letters.isEmpty { return String(decoding: letters, as: UTF8.self) }
    return String(decoding: text[offset...].prefix(32), as: UTF8.self).first.map { String($0) }
      ?? ""
  }

  private func fault(_ expected: String, found: String? = nil) -> JSONSyntaxError {
    let here: String
    switch byte {
    case nil: here = "the end"
    case UInt8(ascii: "\n")?: here = "the end of the line"
    case .some(let byte) where byte < 0x20 || byte == 0x7F: here = "a control character"
    case 0xEF? where text[offset...].starts(with: [0xEF, 0xBB, 0xBF]): here = "a byte order mark"
    case .some: here = word
    }
    return JSONSyntaxError(
      position: JSONPosition(offset: offset, in: text), expected: expected, found: found ?? here)
  }
}
