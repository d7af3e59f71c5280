internal import Application
internal import SearchModel
internal import SearchSources
internal import TagStorage

/// Unknown names that resemble known ones. Such a typo would silently change what a run does.
enum MisspelledNames {
  private static let prefix = "SEARCHAGG_"

  /// Reports such names in the environment and in a list of tags.
  static func warn(of list: TagList, in location: TagsFileLocation, _ context: Context) {
    let lines = warnings(onVariablesOf: context) + location.misspellings(in: list)
    for line in lines { context.report(line) }
  }

  /// A line for each unknown variable with our prefix, in their order.
  static func unknownVariables(of context: Context) -> [String] {
    unknown(of: context).map { name, nearest in
      "unknown variable \(name)" + (nearest.map { "; did you mean \($0)?" } ?? "")
    }
  }

  /// A line for each variable of the environment that resembles a known one.
  private static func warnings(onVariablesOf context: Context) -> [String] {
    unknown(of: context).compactMap { name, nearest in
      nearest.map { "unknown variable \(name); did you mean \($0)?" }
    }
  }

  private static func unknown(of context: Context) -> [(name: String, nearest: String?)] {
    let given = context.environment.keys.filter { $0.hasPrefix(prefix) }
    guard !given.isEmpty else { return [] }
    let settings = Set(
      Setting.all.compactMap { $0.places.contains(.variable) ? $0.variable : nil })
    // As most are variables of settings, the networks are seldom looked at.
    let others = given.filter { !settings.contains($0) }.sorted()
    guard !others.isEmpty else { return [] }
    let known = settings.union([Pager.variable]).union(
      (Sources.all.map(\.name) + Catalog.entries.map(\.name))
        .map(SourceDirectory.addressVariable))
    return others.filter { !known.contains($0) }.map { name in
      (name, Suggestion.nearest(to: name, among: known))
    }
  }
}
