/// The parts of a URL that is already in the form that libcurl would return.
///
/// libcurl's parser takes about 9,000 instructions, a seventh of a whole small request. Most URLs do not
/// need what it does: lower case, percent-encoding, dot segments, other notations of numeric hosts. This
/// parser rejects everything that it is not sure about, and leaves it to libcurl.
struct PlainAddress {
  private(set) var isSecure = false
  /// The bytes of a lower-case host name, or of an IPv4 address in its usual notation.
  private(set) var host = 0..<0
  /// The bytes of the port's digits; empty without a port.
  private(set) var port = 0..<0
  /// The bytes of the path without the query; never empty.
  private(set) var path = 0..<0
  /// True if any byte of the path or the query is percent-encoded.
  private(set) var isEncoded = false

  /// Longer URLs are not worth a special case.
  private static let longest = 8192

  /// Parses a URL; nil for one that libcurl should parse.
  init?(_ text: String) {
    guard text.utf8.count <= Self.longest else { return nil }
    let isPlain = unsafe text.utf8.withContiguousStorageIfAvailable { bytes in
      unsafe read(bytes)
    }
    guard isPlain == true else { return nil }
  }

  @unsafe
  private mutating func read(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let start = unsafe readScheme(bytes) else { return false }
    var index = start
    while index < bytes.count, unsafe Self.isHostByte(bytes[index]) { index += 1 }
    host = start..<index
    guard unsafe isHostPlain(bytes) else { return false }
    if index < bytes.count, unsafe bytes[index] == UInt8(ascii: ":") {
      index += 1
      let digits = index
      var number = 0
      while index < bytes.count, index < digits + 6, unsafe Self.isDigit(bytes[index]) {
        number = unsafe number * 10 + Int(bytes[index] - UInt8(ascii: "0"))
        index += 1
      }
      port = digits..<index
      // A leading zero would not be part of the number.
      guard (1...65_535).contains(number), unsafe bytes[digits] != UInt8(ascii: "0") else {
        return false
      }
    }
    guard index < bytes.count, unsafe bytes[index] == UInt8(ascii: "/"),
      let end = unsafe endOfPath(bytes, from: index)
    else { return false }
    path = index..<end
    return true
  }

  /// Returns where the host begins.
  @unsafe
  private mutating func readScheme(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    let http: StaticString = "http"
    guard bytes.count > 8 else { return nil }
    for index in 0..<4 where unsafe bytes[index] != http.utf8Start[index] { return nil }
    isSecure = unsafe bytes[4] == UInt8(ascii: "s")
    let colon = isSecure ? 5 : 4
    guard
      unsafe bytes[colon] == UInt8(ascii: ":") && bytes[colon + 1] == UInt8(ascii: "/")
        && bytes[colon + 2] == UInt8(ascii: "/")
    else { return nil }
    return colon + 3
  }

  /// Accepts names that begin with a letter, which no numeric notation does, and four decimal numbers
  /// from 0 to 255.
  @unsafe
  private func isHostPlain(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let first = host.first else { return false }
    let isName = unsafe bytes[first] &- UInt8(ascii: "a") < 26
    var labels = 1
    var labelStart = first
    var number = 0
    for index in host {
      let byte = unsafe bytes[index]
      if byte == UInt8(ascii: ".") {
        guard index > labelStart else { return false }
        labels += 1
        labelStart = index + 1
        number = 0
      } else if !isName {
        // A longer number or one with a leading zero is another notation.
        let isLeadingZero = index > labelStart && number == 0
        number = number * 10 + Int(byte &- UInt8(ascii: "0"))
        guard Self.isDigit(byte), !isLeadingZero, number < 256 else { return false }
      }
    }
    return labelStart < host.upperBound && (isName || labels == 4)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

  private static func isHostByte(_ byte: UInt8) -> Bool {
    byte &- UInt8(ascii: "a") < 26 || isDigit(byte) || byte == UInt8(ascii: ".")
      || byte == UInt8(ascii: "-")
  }

  /// The end of a path that libcurl would not change; nil if it might.
  ///
  /// libcurl rejects or encodes spaces, control characters and bytes beyond ASCII, cuts off fragments,
  /// and removes dot segments, plain or percent-encoded.
  @unsafe
  private mutating func endOfPath(
    _ bytes: UnsafeBufferPointer<UInt8>, from start: Int
  ) -> Int? {
    var end: Int?
    var before: UInt8 = 0
    for index in start..<bytes.count {
      let byte = unsafe bytes[index]
      guard byte > 0x20, byte < 0x7F, byte != UInt8(ascii: "#") else { return nil }
      isEncoded = isEncoded || byte == UInt8(ascii: "%")
      guard end == nil else { continue }
      if byte == UInt8(ascii: "?") { end = index }
      if before == UInt8(ascii: "/"), byte == UInt8(ascii: ".") || byte == UInt8(ascii: "%") {
        return nil
      }
      before = byte
    }
    return end ?? bytes.count
  }
}
