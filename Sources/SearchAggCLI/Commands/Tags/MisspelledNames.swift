internal import SearchSources
internal import TagStorage

/// Unknown names that are nearly known ones: such a typo silently changes what a run does.
enum MisspelledNames {
  private static let prefix = "SEARCHAGG_"

  /// Reports such names in the environment and in a list of tags.
  static func warn(of list: TagList, in location: TagsFileLocation, _ context: Context) {
    let lines = warnings(onVariablesOf: context) + warnings(on: list, in: location.name)
    for line in lines { context.report(line) }
  }

  /// A line for each unknown variable with our prefix, in their order.
  static func unknownVariables(of context: Context) -> [String] {
    unknown(of: context).map { name, nearest in
      "unknown variable \(name)" + (nearest.map { "; did you mean \($0)?" } ?? "")
    }
  }

  /// A line for each variable of the environment that is nearly a known one.
  private static func warnings(onVariablesOf context: Context) -> [String] {
    unknown(of: context).compactMap { name, nearest in
      nearest.map { "unknown variable \(name); did you mean \($0)?" }
    }
  }

  private static func unknown(of context: Context) -> [(name: String, nearest: String?)] {
    let given = context.environment.keys.filter { $0.hasPrefix(prefix) }.sorted()
    guard !given.isEmpty else { return [] }
    let known = Set(
      Setting.all.filter { $0.places.contains(.variable) }.map(\.variable)
        + Sources.all.map { SourceSetup.addressVariable(of: $0.name) })
    return given.filter { !known.contains($0) }.map { name in
      (name, Suggestion.nearest(to: name, among: known))
    }
  }

  /// A line for each unknown key of a list of tags, without duplicates.
  private static func warnings(on list: TagList, in name: String) -> [String] {
    var told: Set<String> = []
    return list.unknownKeys.compactMap { key in
      guard told.insert(key.name).inserted,
        let meant = Suggestion.nearest(to: key.name, among: key.known)
      else { return nil }
      return "\(name): \(key.place): unknown key '\(key.name)'; did you mean '\(meant)'?"
    }
  }
}
