internal import Application
internal import FoundationEssentials
internal import SearchEngine
internal import SearchModel
internal import SearchSources
internal import TextFormats

/// The text of a setting, with what is needed to parse it.
struct SettingText: Sendable {
  private(set) var text: String
  let origin: SettingOrigin
  let context: Context
  /// The sources that it may name.
  let knownSources: KnownSources
  /// The texts of the places after the first one, for a setting that combines them, the nearest first.
  var farther: [(text: String, origin: SettingOrigin)] = []

  /// Parses the text, or throws a refusal that names the place and what was expected there.
  func parse<Value>(
    expected: @autoclosure () -> String, _ parse: (String) -> Value?
  ) throws(CommandFailure) -> Value {
    guard let value = parse(text) else { throw origin.refusal(of: text, expected: expected()) }
    return value
  }

  func number(in range: ClosedRange<Int>) throws(CommandFailure) -> Int {
    try parse(expected: "a whole number from \(range.lowerBound) to \(range.upperBound)") { text in
      Int(text).flatMap { range.contains($0) ? $0 : nil }
    }
  }

  func isOn() throws(CommandFailure) -> Bool {
    try parse(expected: "true or false") { text in
      switch text.lowercased() {
      case "1", "true", "yes", "on": true
      case "0", "false", "no", "off": false
      default: nil
      }
    }
  }

  func date(now: Date) throws(CommandFailure) -> Date {
    do throws(DateArgument.Fault) {
      return try DateArgument.parse(text, now: now)
    } catch {
      throw origin.refusal("'\(text)': \(error.reason)")
    }
  }

  func duration(isZeroAllowed: Bool = false) throws(CommandFailure) -> Duration {
    try parse(expected: DurationArgument.expected) { text in
      DurationArgument.parse(text).flatMap { $0 > .zero || isZeroAllowed ? $0 : nil }
    }
  }

  /// Names of sources, separated by commas, each once.
  func sources() throws(CommandFailure) -> [SourceName] {
    let names = text.split(separator: ",").map { String($0.trimmed) }.filter { !$0.isEmpty }
    if names.isEmpty { throw origin.refusal(of: text, expected: "names of sources") }
    return try check(names)
  }

  /// The sources that names mean; refuses unknown ones.
  private func check(_ names: [String]) throws(CommandFailure) -> [SourceName] {
    var sources: [SourceName] = []
    for name in names {
      guard let named = knownSources.sources(named: name) else {
        throw origin.refusal(
          Suggestion.refusal(of: name, as: "source", among: knownSources.everyName))
      }
      for source in named where !sources.contains(source) { sources.append(source) }
    }
    return sources
  }

  /// One of a few values.
  func choice<Choice: RawRepresentable<String> & CaseIterable>() throws(CommandFailure) -> Choice {
    guard let choice = Choice(rawValue: text) else {
      throw origin.refusal(
        Suggestion.refusal(of: text, as: "value", among: Choice.allCases.map(\.rawValue)))
    }
    return choice
  }

  /// The texts of all places as one list.
  var combined: SettingText {
    var sum = self
    sum.text = ([text] + farther.map(\.text)).joined(separator: ",")
    sum.farther = []
    return sum
  }

  /// The words, authors and sources of `--exclude`.
  func exclusions() throws(CommandFailure) -> ExclusionList {
    let list = try combined.parse(
      expected: "words, @author, author:NAME or source:NAME, separated by commas",
      ExclusionList.init)
    _ = try check(list.sources.map(\.rawValue))
    return list
  }

  /// Authors, separated by commas.
  func authors() throws(CommandFailure) -> [AuthorName] {
    try combined.parse(expected: "authors such as @amy, separated by commas") { text in
      let names = text.split(separator: ",").map { AuthorName($0.trimmed) }
      return names.contains(where: \.text.isEmpty) ? nil : names
    }
  }

  /// The primary subtags of languages, separated by commas, each once.
  func languages() throws(CommandFailure) -> [String] {
    try parse(expected: "languages such as en,de") { text in
      var languages: [String] = []
      for part in text.split(separator: ",") {
        guard let language = LanguageTag.primary(typed: String(part.trimmed)) else { return nil }
        if !languages.contains(language) { languages.append(language) }
      }
      return languages.isEmpty ? nil : languages
    }
  }

  /// The most that a run may cost: `500`, or `x=500,youtube=300`.
  ///
  /// A bound takes precedence over those of farther places for the same source, and one for all sources over all of
  /// them; the others still hold.
  func costs() throws(CommandFailure) -> CostBounds {
    var bounds = CostBounds()
    for (text, origin) in farther.reversed() + [(text, origin)] {
      let nearer = try costs(in: text, from: origin)
      if nearer.general != nil {
        bounds = nearer
      } else {
        bounds.bySource.merge(nearer.bySource) { _, nearer in nearer }
      }
    }
    return bounds
  }

  private func costs(in text: String, from origin: SettingOrigin) throws(CommandFailure)
    -> CostBounds
  {
    var bounds = CostBounds()
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let words = part.split(separator: "=", omittingEmptySubsequences: false)
        .map { String($0.trimmed) }
      guard words.count <= 2, let number = Int(words[words.count - 1]),
        (0...1_000_000_000).contains(number)
      else {
        throw origin.refusal(
          of: text,
          expected: "a whole number, or one for each of some sources: x=500,youtube=300")
      }
      guard words.count == 2 else {
        bounds.general = number
        continue
      }
      guard knownSources.knows(words[0]) else {
        throw origin.refusal(
          Suggestion.refusal(of: words[0], as: "source", among: knownSources.everyName))
      }
      bounds.bySource[SourceName(rawValue: words[0])] = number
    }
    return bounds
  }

  /// The folder where responses are kept: `on`, `off` or a path; nil for none.
  func cacheFolder() throws(CommandFailure) -> String? {
    switch text {
    case "": throw origin.refusal(of: text, expected: "on, off or a folder")
    case "off", "false": return nil
    case "on", "true":
      guard let folder = ConfigurationFolder.cache(in: context) else {
        throw origin.refusal("neither XDG_CACHE_HOME nor HOME is set; name a folder")
      }
      return folder
    default: return context.absolutePath(text)
    }
  }
}
