internal import CCurl
internal import FoundationEssentials

/// The raw header lines of one response.
struct HeaderBlock {
  private var bytes: [UInt8] = []
  // The lines after the body, after an empty line instead of a status line.
  private var trailerBytes: [UInt8] = []
  /// True if the empty line at the end of the fields has arrived; also set by interim responses.
  private(set) var isComplete = false
  /// True if the server sent two different lengths of the body.
  private(set) var hasTwoLengths = false
  private var length: Length?
  /// True if there is a `Content-Encoding`, so that most responses need not be parsed.
  private(set) var namesEncoding = false

  /// A length as it was written, with its leading zeros; usual ones need no memory of their own.
  private struct Length: Equatable {
    private var count = 0
    /// The first 19 digits, which always fit.
    private var value: UInt64 = 0
    private var further: [UInt8] = []

    mutating func append(_ digit: UInt8) {
      if count < 19 {
        value = value * 10 + UInt64(digit - UInt8(ascii: "0"))
      } else {
        further.append(digit)
      }
      count += 1
    }
  }

  /// The number of header bytes, including those of interim responses and trailers.
  private(set) var count = 0

  init() {}

  mutating func clear() {
    count = 0
    if !trailerBytes.isEmpty { trailerBytes = [] }
    begin()
  }

  /// Adds a line, and returns whether the header of a response ends with it.
  ///
  /// An interim response (RFC 9110, section 15.2) is followed by another response, any other one by
  /// trailers.
  mutating func append(_ line: Span<UInt8>) -> Bool {
    if isComplete, isInterim { begin() }
    count += line.count
    guard !isComplete else {
      if trailerBytes.isEmpty { trailerBytes = [UInt8(ascii: "\n")] }
      unsafe line.withUnsafeBufferPointer { unsafe trailerBytes.append(contentsOf: $0) }
      return false
    }
    guard line.count > 2 else {
      isComplete = true
      return !isInterim
    }
    if line[0] | 0x20 == UInt8(ascii: "c") {
      noteLength(line)
      if Self.begins(line, with: "content-encoding:") { namesEncoding = true }
    }
    unsafe line.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
    return false
  }

  private mutating func begin() {
    bytes.removeAll(keepingCapacity: true)
    isComplete = false
    hasTwoLengths = false
    length = nil
    namesEncoding = false
  }

  /// True if the status is 100 to 199: the first digit after `HTTP/1.1 `.
  private var isInterim: Bool {
    bytes.firstIndex(of: 0x20).map { bytes[$0...].dropFirst().first == UInt8(ascii: "1") } ?? false
  }

  /// True if a line begins with a name, ignoring case.
  ///
  /// - Parameter name: In lower case, with the colon.
  private static func begins(_ line: Span<UInt8>, with name: StaticString) -> Bool {
    guard line.count > name.utf8CodeUnitCount else { return false }
    for index in 0..<name.utf8CodeUnitCount
    where unsafe line[index] | 0x20 != name.utf8Start[index] {
      return false
    }
    return true
  }

  private mutating func noteLength(_ line: Span<UInt8>) {
    let name: StaticString = "content-length:"
    guard Self.begins(line, with: name) else { return }
    // Several lengths in one line count like several lines.
    var written = Length()
    for index in name.utf8CodeUnitCount..<line.count {
      switch line[index] {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): written.append(line[index])
      case UInt8(ascii: ","), UInt8(ascii: "\n"):
        if let length, length != written { hasTwoLengths = true }
        length = written
        written = Length()
      case _: break
      }
    }
  }

  /// The fields, without the status line.
  var fields: HTTPHeaders { HTTPHeaders(received: bytes) }

  /// The fields after the body.
  var trailers: HTTPHeaders {
    trailerBytes.isEmpty ? HTTPHeaders() : HTTPHeaders(received: trailerBytes)
  }
}

/// HTTP dates (RFC 9110, section 5.6.7).
enum HTTPDate {
  /// Parses a date in any of the common formats; nil for anything else.
  static func parse(_ text: String) -> Date? {
    let seconds = unsafe curl_getdate(text, nil)
    return seconds == -1 ? nil : Date(timeIntervalSince1970: Double(seconds))
  }
}
