/// The header lines of one response as they came, bounded.
struct HeaderBlock {
  private var bytes: [UInt8] = []
  // The lines after the body, after an empty line in place of the status line.
  private var trailerBytes: [UInt8] = []
  private(set) var isComplete = false

  /// How many bytes of header lines came for this response.
  private(set) var count = 0

  init() {}

  mutating func clear() {
    bytes.removeAll(keepingCapacity: true)
    if !trailerBytes.isEmpty { trailerBytes = [] }
    isComplete = false
    count = 0
  }

  /// Takes one line in; a status line begins a new response, and lines after the end are trailers.
  mutating func append(_ line: Span<UInt8>) {
    if Self.isStatusLine(line) { clear() }
    count += line.count
    guard !isComplete else {
      if trailerBytes.isEmpty { trailerBytes = [UInt8(ascii: "\n")] }
      unsafe line.withUnsafeBufferPointer { unsafe trailerBytes.append(contentsOf: $0) }
      return
    }
    guard line.count > 2 else {
      isComplete = true
      return
    }
    unsafe line.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
  }

  /// The fields, without the status line.
  var fields: HTTPHeaders { Self.fields(of: bytes[...]) }

  /// The fields that came after the body.
  var trailers: HTTPHeaders {
    trailerBytes.isEmpty ? HTTPHeaders() : Self.fields(of: trailerBytes[...])
  }

  /// The fields after the first line.
  private static func fields(of bytes: ArraySlice<UInt8>) -> HTTPHeaders {
    var headers = HTTPHeaders()
    var rest = bytes
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      rest = rest[(end + 1)...]
      let line = rest.prefix { $0 != UInt8(ascii: "\n") }
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
      let value = line[(colon + 1)...]
      let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 || byte == 0x0D }
      let start = value.firstIndex { !isBlank($0) } ?? value.endIndex
      let last = value.lastIndex { !isBlank($0) }.map { $0 + 1 } ?? start
      headers.append(
        String(decoding: line[..<colon], as: UTF8.self),
        String(decoding: value[start..<last], as: UTF8.self))
    }
    return headers
  }

  private static func isStatusLine(_ line: Span<UInt8>) -> Bool {
    let mark: StaticString = "HTTP/"
    guard line.count >= mark.utf8CodeUnitCount else { return false }
    for index in 0..<mark.utf8CodeUnitCount where unsafe line[index] != mark.utf8Start[index] {
      return false
    }
    return true
  }
}
