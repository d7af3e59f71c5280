/// Where bytes go: a standard stream, a file, or a test's buffer.
package protocol OutputStreaming: Sendable {
  /// Writes all of the bytes, or throws.
  func write(_ bytes: [UInt8]) throws(OutputFailure)
}
