/// Which searches go first when there is a queue.
package enum TagPriority: String, CaseIterable, Sendable, Hashable {
  case low, normal, high
}
