/// The failures that count in the exit status.
package enum FailOn: String, CaseIterable, Sendable {
  /// Any search that failed.
  case any
  /// Only when all failed.
  case all
  case none
}
