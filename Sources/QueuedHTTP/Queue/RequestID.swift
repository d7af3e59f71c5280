/// The identity of a request from its making to its end; never given twice by one client.
package struct RequestID: Hashable, Sendable {
  package let rawValue: UInt64

  package init(rawValue: UInt64) { self.rawValue = rawValue }
}
