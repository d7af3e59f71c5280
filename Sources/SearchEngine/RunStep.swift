/// A step of a run that decides what is requested next.
///
/// A run whose responses arrive in the same order, and whose steps come in the same order, makes the same
/// requests.
package struct RunStep: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// The searches at these places of the plan have used the responses to their requests.
    case pages(of: [Int])
    /// Their responses came after the end of the run, and were ignored.
    case ignored(of: [Int])
    /// The run no longer waits for the first pages of slow searches.
    case patienceLost
    /// The longest time of the run has passed.
    case timeUp
  }

  /// The steps of a run are numbered from 0 without gaps.
  package var number: Int
  package var kind: Kind

  package init(_ number: Int, _ kind: Kind) {
    self.number = number
    self.kind = kind
  }
}
