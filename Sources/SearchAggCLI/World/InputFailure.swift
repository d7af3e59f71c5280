/// Why input could not be read.
package enum InputFailure: Error, Hashable, Sendable {
  /// More bytes came than the limit.
  case tooLarge
  /// The system's words.
  case failed(reason: String)
}
