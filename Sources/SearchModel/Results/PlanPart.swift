/// A part of the plan of a run, as its output names it for those who merge the outputs of all parts.
package struct PlanPart: Hashable, Sendable {
  /// The number of the part, from 1.
  package var number: Int
  /// The number of parts.
  package var count: Int
  /// A digest of the whole plan and of what limits it: the parts of one plan have it in common.
  package var plan: String
  /// The positions of its searches in the whole plan, ascending.
  package var places: [Int]
  /// The number of newest posts that the run was to print; nil for all.
  package var newest: Int?
  /// The paths of the fields that its posts have; nil for all.
  package var fields: [String]?

  package init(
    number: Int, count: Int, plan: String, places: [Int], newest: Int? = nil,
    fields: [String]? = nil
  ) {
    self.number = number
    self.count = count
    self.plan = plan
    self.places = places
    self.newest = newest
    self.fields = fields
  }
}

extension Ending {
  /// The kind of the failure, for an exit status; nil for an end that is not a failure.
  ///
  /// For a search that was skipped for want of a credential it is `credential`.
  package var failureKind: Failure.Kind? {
    switch self {
    case .rateLimited: .temporary
    case .failed(let failure): failure.kind
    case .partial(_, _, let failure, _): failure?.kind
    case .skipped(_, let needsCredential): needsCredential ? .credential : nil
    case .completed, .cancelled: nil
    }
  }
}
