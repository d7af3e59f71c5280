internal import Application
internal import SearchSources

/// Names of sources that were typed after the value of `--source`, where they are queries.
///
/// `run swift --source mastodon bluesky` searches Mastodon for two words: that is what it says, but
/// perhaps not what was meant.
struct StraySources {
  /// The names in the value of the option.
  private let asked: [String]
  /// The names after it.
  private let names: [String]

  /// Finds them in a command line that is right; nil without any, or where nothing may be said.
  init?(in arguments: [String]) {
    let words = Array(arguments.prefix { $0 != "--" })
    guard ["run", "watch"].contains(words.first), !words.contains(where: Self.isQuiet),
      let index = words.firstIndex(where: { $0 == "--source" || $0.hasPrefix("--source=") })
    else { return nil }
    var rest = words[index...]
    let value =
      rest.removeFirst() == "--source"
      ? rest.popFirst() : words[index].dropFirst(9)[...].description
    asked = (value ?? "").split(separator: ",").map(String.init)
    names = rest.prefix { KnownSources(declared: []).knows($0) }.map(\.self)
    if names.isEmpty { return nil }
  }

  /// The words that were searched for, and the option that asks these sources.
  var note: String {
    let count = asked.count + names.count
    return "searched for the \(names.count == 1 ? "word" : "words") \(names.inWords("and")); "
      + "to search \(count == 2 ? "both" : "all \(count)") networks: "
      + "--source \((asked + names).joined(separator: ","))"
  }

  private static func isQuiet(_ word: String) -> Bool {
    word == "--quiet" || word.hasPrefix("-") && !word.hasPrefix("--") && word.contains("q")
  }
}
