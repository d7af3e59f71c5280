internal import SearchSources
internal import TagStorage

/// Names that mean nothing to searchagg and are nearly one that does: a slip there changes what a run does
/// without a word.
enum MisspelledNames {
  private static let prefix = "SEARCHAGG_"

  /// Reports the names of the environment and of a list of tags.
  static func warn(of list: TagList, in location: TagsFileLocation, _ context: Context) {
    let lines = warnings(onVariablesOf: context) + warnings(on: list, in: location.name)
    for line in lines { context.report(line) }
  }

  /// A line for each variable of the environment, in their order.
  private static func warnings(onVariablesOf context: Context) -> [String] {
    let given = context.environment.keys.filter { $0.hasPrefix(prefix) }.sorted()
    guard !given.isEmpty else { return [] }
    let known = Set(
      Setting.all.filter { $0.places.contains(.variable) }.map(\.variable)
        + Sources.all.map { SourceSetup.addressVariable(of: $0.name) })
    return given.filter { !known.contains($0) }.compactMap { name in
      Suggestion.nearest(to: name, among: known).map {
        "the variable \(name) means nothing; did you mean \($0)?"
      }
    }
  }

  /// A line for each key of a list of tags, equal ones told once.
  private static func warnings(on list: TagList, in name: String) -> [String] {
    var told: Set<String> = []
    return list.unknownKeys.compactMap { key in
      guard told.insert(key.name).inserted,
        let meant = Suggestion.nearest(to: key.name, among: key.known)
      else { return nil }
      return "\(name): \(key.place): the key '\(key.name)' means nothing; did you mean '\(meant)'?"
    }
  }
}
