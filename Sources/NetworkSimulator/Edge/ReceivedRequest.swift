/// A request as the simulator received it.
package struct ReceivedRequest: Sendable, Hashable {
  package let method: String
  /// The source's segment; empty when there was none.
  package let source: String
  /// The faults of the path, without their `~`.
  package let faults: [String]
  /// The path behind the source, decoded: `api/v1/search_by_date`.
  package let path: String
  /// The query string as it came, without its question mark.
  package let query: String
  package let userAgent: String?
  package let isAuthorized: Bool
}
