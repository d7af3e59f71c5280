/// The identity of a request from its making to its end; never given twice by one client.
struct RequestID: Hashable, Sendable {
  var rawValue: UInt64
}
