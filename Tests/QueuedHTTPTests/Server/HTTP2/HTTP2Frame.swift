/// A frame of HTTP/2 (RFC 9113, section 4.1).
struct HTTP2Frame: Sendable {
  enum Kind: UInt8, Sendable {
    case data, headers, priority, reset, settings, pushPromise, ping, goAway, windowUpdate
    case continuation
  }

  static let endStream: UInt8 = 0x1
  static let endHeaders: UInt8 = 0x4
  static let acknowledged: UInt8 = 0x1

  var kind: UInt8
  var flags: UInt8 = 0
  var stream: UInt32 = 0
  var payload: [UInt8] = []

  init(_ kind: Kind, flags: UInt8 = 0, stream: UInt32 = 0, _ payload: [UInt8] = []) {
    self.kind = kind.rawValue
    self.flags = flags
    self.stream = stream
    self.payload = payload
  }

  /// Reads a frame; nil when the client left.
  init?(from wire: Wire) {
    guard let head = wire.read(9),
      let payload = wire.read(Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2]))
    else { return nil }
    kind = head[3]
    flags = head[4]
    stream = Self.number(head[5...8]) & 0x7FFF_FFFF
    self.payload = payload
  }

  var bytes: [UInt8] {
    let count = UInt32(payload.count)
    return Array(Self.bytes(count).dropFirst()) + [kind, flags] + Self.bytes(stream) + payload
  }

  static func bytes(_ number: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
  }

  static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    bytes.reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// Fields as literals that nothing remembers (RFC 7541, section 6.2.2).
  static func block(_ fields: [(String, String)]) -> [UInt8] {
    fields.flatMap { [0] + text($0.0) + text($0.1) }
  }

  private static func text(_ text: String) -> [UInt8] {
    let bytes = Array(text.utf8)
    guard bytes.count >= 127 else { return [UInt8(bytes.count)] + bytes }
    var head: [UInt8] = [127]
    var rest = bytes.count - 127
    while rest >= 128 {
      head.append(UInt8(rest & 127 | 128))
      rest >>= 7
    }
    return head + [UInt8(rest)] + bytes
  }
}
