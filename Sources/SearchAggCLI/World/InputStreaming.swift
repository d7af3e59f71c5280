/// Where standard input comes from.
package protocol InputStreaming: Sendable {
  /// Reads to the end, or throws when that fails or more than `limit` bytes come.
  func readAll(limit: Int) throws(InputFailure) -> [UInt8]
}
