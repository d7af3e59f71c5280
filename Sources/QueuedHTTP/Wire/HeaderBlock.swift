internal import CCurl
internal import FoundationEssentials
internal import Glibc

/// The raw header lines of one response.
package struct HeaderBlock {
  /// The reason a head cannot be trusted: nobody knows where its response ends.
  package enum Fault: String, Sendable {
    case twoLengths = "the response has two different lengths"
    case badLength = "the response's length is not a number"
    case bareReturn = "a header line contains a carriage return"
    case noName = "a header field has no name"
    case hiddenCoding = "there is a space in the name of Transfer-Encoding"
  }

  private var bytes: [UInt8] = []
  // The lines after the body, after an empty line instead of a status line.
  private var trailerBytes: [UInt8] = []
  /// True if the empty line at the end of the fields has arrived; also set by interim responses.
  private(set) var isComplete = false
  /// The first fault in the lines so far.
  package private(set) var fault: Fault?
  private var length: Int?
  // True if the last line is `Content-Length`.
  private var isAfterLength = false
  /// The length of the body if libcurl does not know it, as a space is before the colon.
  private(set) var hiddenLength: Int?
  /// True if there is a `Content-Encoding`, so that most responses need not be parsed.
  private(set) var namesEncoding = false

  /// The number of header bytes, including those of interim responses and trailers.
  package private(set) var count = 0

  package init() {}

  mutating func clear() {
    count = 0
    if !trailerBytes.isEmpty { trailerBytes = [] }
    begin()
  }

  /// True if the header of a final response has arrived completely.
  package var isFinal: Bool { isComplete && !isInterim }

  /// Adds a line, and returns whether the header of a response ends with it.
  ///
  /// An interim response (RFC 9110, section 15.2) is followed by another response, any other one by
  /// trailers.
  package mutating func append(_ line: Span<UInt8>) -> Bool {
    if isComplete, isInterim { begin() }
    count += line.count
    check(line)
    guard !isComplete else {
      if trailerBytes.isEmpty { trailerBytes = [UInt8(ascii: "\n")] }
      unsafe line.withUnsafeBufferPointer { unsafe trailerBytes.append(contentsOf: $0) }
      return false
    }
    guard line.count > 2 || !Self.isBlank(line) else {
      isComplete = true
      return !isInterim
    }
    let continues = line[0] == 0x20 || line[0] == 0x09
    // libcurl has read the length without what follows in another line (RFC 9112, section 5.2).
    if continues, isAfterLength { fault = .badLength }
    isAfterLength = false
    switch line[0] | 0x20 {
    case UInt8(ascii: "c"):
      noteLength(line)
      if Self.value(of: "content-encoding", in: line) != nil { namesEncoding = true }
    case UInt8(ascii: "t"):
      // libcurl takes it for another field, and the chunks for the body.
      if Self.value(of: "transfer-encoding", in: line)?.isHidden == true { fault = .hiddenCoding }
    default: break
    }
    unsafe line.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
    return false
  }

  private mutating func begin() {
    bytes.removeAll(keepingCapacity: true)
    isComplete = false
    fault = nil
    length = nil
    isAfterLength = false
    hiddenLength = nil
    namesEncoding = false
  }

  /// True if the status is 100 to 199: the first digit after `HTTP/1.1 `. 101 is the end of HTTP.
  private var isInterim: Bool {
    guard let space = bytes.firstIndex(of: 0x20) else { return false }
    let status = bytes[space...].dropFirst().prefix(3)
    return status.first == UInt8(ascii: "1") && !status.elementsEqual("101".utf8)
  }

  private static func isBlank(_ line: Span<UInt8>) -> Bool {
    for index in line.indices where line[index] != 0x0D && line[index] != 0x0A { return false }
    return true
  }

  /// Notes what no server may send (RFC 9112, sections 2.2 and 5).
  private mutating func check(_ line: Span<UInt8>) {
    let count = line.count
    guard count > 0 else { return }
    let found = unsafe line.withUnsafeBytes { line in
      unsafe line.baseAddress.flatMap { start in
        unsafe memchr(start, 0x0D, count).map { unsafe UnsafeRawPointer($0) - start }
      }
    }
    if let found, found != count - 2 || line[count - 1] != 0x0A { fault = .bareReturn }
    // Only whitespace and a colon are below the first letter of a name in most heads.
    guard line[0] == UInt8(ascii: ":") || line[0] == 0x20 || line[0] == 0x09 else { return }
    var index = 0
    while index < count, line[index] == 0x20 || line[index] == 0x09 { index += 1 }
    if index < count, line[index] == UInt8(ascii: ":") { fault = .noName }
  }

  /// The start of a field's value, if the line has the name, ignoring case; nil otherwise.
  ///
  /// - Parameter name: In lower case, without the colon.
  /// - Returns: `isHidden` if there is whitespace before the colon.
  private static func value(
    of name: StaticString, in line: Span<UInt8>
  ) -> (start: Int, isHidden: Bool)? {
    let end = name.utf8CodeUnitCount
    guard line.count > end else { return nil }
    for index in 0..<end where unsafe line[index] | 0x20 != name.utf8Start[index] { return nil }
    var index = end
    while index < line.count, line[index] == 0x20 || line[index] == 0x09 { index += 1 }
    guard index < line.count, line[index] == UInt8(ascii: ":") else { return nil }
    return (index + 1, index > end)
  }

  /// Notes the length (RFC 9110, section 8.6); several in one line count like several lines.
  private mutating func noteLength(_ line: Span<UInt8>) {
    guard let (start, isHidden) = Self.value(of: "content-length", in: line) else { return }
    isAfterLength = true
    var written: Int?
    var hasEnded = false
    for index in start..<line.count {
      switch line[index] {
      case UInt8(ascii: "0")...UInt8(ascii: "9") where !hasEnded:
        let (tens, isTooLong) = (written ?? 0).multipliedReportingOverflow(by: 10)
        let (sum, isTooLarge) = tens.addingReportingOverflow(Int(line[index]) - 0x30)
        if isTooLong || isTooLarge { fault = .badLength }
        written = isTooLong || isTooLarge ? .max : sum
      case UInt8(ascii: ","), 0x0A:
        note(written, isHidden: isHidden)
        (written, hasEnded) = (nil, false)
      case 0x20, 0x09, 0x0D: hasEnded = written != nil
      default: fault = .badLength
      }
    }
  }

  private mutating func note(_ written: Int?, isHidden: Bool) {
    guard let written else {
      fault = .badLength
      return
    }
    if let length, length != written { fault = .twoLengths }
    length = written
    if isHidden { hiddenLength = written }
  }

  /// The fields, without the status line.
  package var fields: HTTPHeaders { HTTPHeaders(received: bytes) }

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
