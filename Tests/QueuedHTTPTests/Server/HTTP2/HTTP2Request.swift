/// A request as the HTTP/2 server took it in: its fields, which are compressed, are not read.
struct HTTP2Request: Sendable {
  /// Which it is of all, from 1 on.
  var number: Int
  var stream: UInt32
  /// The connection that it came by, from 1 on.
  var connection: Int
  var body: [UInt8]
}
