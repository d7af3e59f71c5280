internal import SearchModel

extension Sources {
  /// The names of all, for messages.
  package static var names: String { all.map(\.name.rawValue).joined(separator: ", ") }
}
