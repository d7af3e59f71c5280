internal import SearchModel
internal import SearchSources

/// The names behind `--source`: separated by commas, each the name of a network that we speak or that
/// the user's configuration declares.
struct SourceNames {
  /// Returns the names that the words hold, each once; without a word no configuration is looked at.
  static func parse(
    _ words: [String], in context: Context
  ) throws(CommandFailure) -> [SourceName] {
    guard !words.isEmpty else { return [] }
    let configuration = try Configuration(named: nil, isPersonal: true, in: context)
    return try parse(words, known: configuration.catalogue.all.map(\.name.rawValue))
  }

  /// Returns the names that the words hold, each once.
  static func parse(
    _ words: [String], known: [String]
  ) throws(CommandFailure) -> [SourceName] {
    var names: [SourceName] = []
    for word in words.flatMap({ $0.split(separator: ",") }) {
      let name = SourceName(rawValue: word.filter { $0 != " " })
      guard known.contains(name.rawValue) else {
        let list = known.joined(separator: ", ")
        throw CommandFailure(
          .usage, "there is no source '\(name.rawValue)'; there are: \(list)")
      }
      if !names.contains(name) { names.append(name) }
    }
    return names
  }
}
