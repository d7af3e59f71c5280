internal import Application
internal import FoundationEssentials
internal import SearchEngine
internal import SearchModel
internal import SearchSources
internal import TextFormats

/// Finds the text of each setting: in the option, else the variable, else the nearest configuration
/// file, else the default.
struct SettingsReader: Sendable {
  let context: Context
  let configuration: Configuration
  /// The options that were given, by name.
  var options: [String: String] = [:]

  /// The text of a setting; nil when nothing sets it and it has no default.
  func text(of setting: Setting) -> SettingText? {
    guard let (text, origin) = find(setting) else { return nil }
    return SettingText(
      text: text, origin: origin, context: context, catalogue: configuration.catalogue)
  }

  private func find(_ setting: Setting) -> (text: String, origin: SettingOrigin)? {
    if setting.places.contains(.option), let text = options[setting.name] {
      return (text, .option(setting.name))
    }
    if setting.places.contains(.variable), let text = context.variable(setting.variable) {
      return (text, .variable(setting.variable))
    }
    if setting.places.contains(.file), let found = configuration.text(of: setting.name) {
      return found
    }
    return setting.standard.map { ($0, .standard) }
  }
}

/// The place where a value was set, for the line that refuses it.
enum SettingOrigin: Hashable, Sendable {
  case option(String)
  case variable(String)
  case file(path: String, key: String)
  /// Nothing sets it: this is the default.
  case standard

  var isOption: Bool { if case .option = self { true } else { false } }

  /// True if it is the file of the current folder, which somebody else may have written.
  var isProject: Bool {
    if case .file(Configuration.projectPath, _) = self { true } else { false }
  }

  /// The place for people.
  var inWords: String {
    switch self {
    case .option(let name): "--\(name)"
    case .variable(let name): name
    case .file(let path, _): path
    case .standard: "default"
    }
  }

  /// The refusal of a value that was set here.
  func refusal(of text: String, expected: String) -> CommandFailure {
    refusal("expected \(expected), found '\(text)'")
  }

  /// A refusal in other words: wrong usage for an option, wrong configuration elsewhere.
  func refusal(_ words: String) -> CommandFailure {
    switch self {
    case .option(let name): CommandFailure(.usage, "--\(name): \(words)")
    case .variable(let name): CommandFailure(.badConfiguration, "\(name): \(words)")
    case .file(let path, let key): CommandFailure(.badConfiguration, "\(path): \(key): \(words)")
    case .standard: CommandFailure(.bug, "a default is wrong: \(words)")
    }
  }
}

/// The text of a setting, with what is needed to parse it.
struct SettingText: Sendable {
  let text: String
  let origin: SettingOrigin
  let context: Context
  /// The sources that it may name.
  let catalogue: SourceCatalogue

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
      case _: nil
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

  /// Names of sources, separated by commas.
  func sources() throws(CommandFailure) -> [SourceName] {
    let names = text.split(separator: ",").map { String($0.trimmed) }.filter { !$0.isEmpty }
    if names.isEmpty { throw origin.refusal(of: text, expected: "names of sources") }
    try check(names)
    return names.map(SourceName.init(rawValue:))
  }

  /// Refuses names of sources that are unknown.
  private func check(_ names: [String]) throws(CommandFailure) {
    for name in names where catalogue.named(name) == nil {
      throw origin.refusal(
        Suggestion.refusal(of: name, as: "source", among: catalogue.all.map(\.name.rawValue)))
    }
  }

  /// One of a few values.
  func choice<Choice: RawRepresentable<String> & CaseIterable>() throws(CommandFailure) -> Choice {
    guard let choice = Choice(rawValue: text) else {
      throw origin.refusal(
        Suggestion.refusal(of: text, as: "value", among: Choice.allCases.map(\.rawValue)))
    }
    return choice
  }

  /// The words, authors and sources of `--exclude`.
  func exclusions() throws(CommandFailure) -> ExclusionList {
    let list = try parse(
      expected: "words, @author, author:NAME or source:NAME, separated by commas",
      ExclusionList.init)
    try check(list.sources.map(\.rawValue))
    return list
  }

  /// The primary subtags of languages, separated by commas.
  func languages() throws(CommandFailure) -> Set<String> {
    try parse(expected: "languages such as en,de") { text in
      var languages: Set<String> = []
      for part in text.split(separator: ",") {
        guard let language = LanguageTag.primary(typed: String(part.trimmed)) else { return nil }
        languages.insert(language)
      }
      return languages.isEmpty ? nil : languages
    }
  }

  /// The most that a run may cost: `500`, or `x=500,youtube=300`.
  func costs() throws(CommandFailure) -> CostBounds {
    try parse(expected: "a whole number, or one for each of some sources: x=500,youtube=300") {
      text in
      var bounds = CostBounds()
      for part in text.split(separator: ",", omittingEmptySubsequences: false) {
        let words = part.split(separator: "=", omittingEmptySubsequences: false)
          .map { String($0.trimmed) }
        guard let last = words.last, let number = Int(last), (0...1_000_000_000).contains(number)
        else { return nil }
        switch words.count {
        case 1 where bounds.general == nil: bounds.general = number
        case 2 where catalogue.named(words[0]) != nil:
          bounds.bySource[SourceName(rawValue: words[0])] = number
        case _: return nil
        }
      }
      return bounds
    }
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
    case _: return context.absolutePath(text)
    }
  }
}
