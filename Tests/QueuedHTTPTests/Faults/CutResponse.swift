import TestSupport

/// A response that a server cuts at a random byte, or sends whole; the same for the same number.
struct CutResponse: Sendable {
  enum Framing: CaseIterable, Sendable { case length, chunked, close }

  /// The decoded body of the whole response.
  let body: [UInt8]
  let fields: [String]
  /// The body as it is sent, encoded but not framed.
  let encoded: [UInt8]
  /// The number of bytes that are sent of head and body.
  let count: Int
  /// The whole response.
  private let whole: [UInt8]
  private let isChunked: Bool

  /// True if nothing is missing.
  var isWhole: Bool { count == whole.count }
  /// True if nothing of the body and the trailers is missing: libcurl 7.88 does not wait for the line feed
  /// after the last chunk.
  var mayBeWhole: Bool { isWhole || isChunked && count == whole.count - 1 }
  /// The bytes that are sent.
  var sent: [UInt8] { Array(whole[..<count]) }

  init(number: Int) {
    var random = SeededRandom(seed: UInt64(number) &* 977)
    let size = Int.random(in: 1...10, using: &random) == 1 ? 20_000 : 400
    let spread = ([1, 16, 255] as [UInt8]).randomElement(using: &random) ?? 1
    body = (0..<Int.random(in: 0...size, using: &random)).map { _ in
      UInt8.random(in: 0...spread, using: &random)
    }
    var encoded = body
    var codings: [String] = []
    for _ in 0..<Int.random(in: 0...2, using: &random) {
      let form = Compressor.Form.allCases.randomElement(using: &random) ?? .gzip
      encoded = Compressor.compress(encoded, as: form)
      codings.append(form.coding)
    }
    self.encoded = encoded
    var framing = Framing.allCases.randomElement(using: &random) ?? .length
    // Nobody can see that a plain body is cut that ends with its connection.
    if framing == .close, codings.isEmpty { framing = .chunked }
    var fields = codings.isEmpty ? [] : ["Content-Encoding: \(codings.joined(separator: ", "))"]
    isChunked = framing == .chunked
    let framed: [UInt8]
    switch framing {
    case .length:
      fields.append("Content-Length: \(encoded.count)")
      framed = encoded
    case .chunked:
      fields.append("Transfer-Encoding: chunked")
      framed = Self.chunks(of: encoded, &random)
    case .close: framed = encoded
    }
    self.fields = fields
    // No later request may meet the end of this one's connection.
    whole = Answer.head(200, fields + ["Connection: close"]) + framed
    let isWhole = Int.random(in: 0..<5, using: &random) == 0
    let isInHead = Int.random(in: 0..<3, using: &random) == 0
    let bound = isInHead ? whole.count - framed.count : whole.count
    count = isWhole ? whole.count : Int.random(in: 0..<bound, using: &random)
  }

  private static func chunks(of bytes: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
    var framed: [UInt8] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let piece = rest.prefix(Int.random(in: 1...5_000, using: &random))
      rest = rest.dropFirst(piece.count)
      framed += Array("\(String(piece.count, radix: 16))\r\n".utf8) + piece + [13, 10]
    }
    let trailer = Bool.random(using: &random) ? "X-Sum: 1\r\n" : ""
    return framed + Array("0\r\n\(trailer)\r\n".utf8)
  }
}
