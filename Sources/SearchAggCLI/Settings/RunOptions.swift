internal import Application
internal import ArgumentParser
internal import Printing

/// The settings that a command takes as options.
protocol SettingSelection: Sendable {
  static var settings: [Setting] { get }
}

/// The options of some settings, as texts; `Setting` parses them, in the same way for an option, a
/// variable and a configuration file.
///
/// The parser finds the options of a type in its mirror, so this one is made from the table of settings.
struct SettingOptions<Selection: SettingSelection>: ParsableArguments, CustomReflectable {
  /// The name of a setting as a key of the parser.
  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  /// The options that were given, by name.
  private(set) var texts: [String: String] = [:]

  init() {}

  /// Options that were read without the parser.
  init(_ texts: [String: String]) { self.texts = texts }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    for setting in Selection.settings where setting.places.contains(.option) {
      let key = Key(stringValue: setting.name)
      switch setting.form {
      case .flag:
        if try container.decode(Bool.self, forKey: key) { texts[setting.name] = "true" }
      case .value:
        texts[setting.name] = try container.decodeIfPresent(String.self, forKey: key)
      case .list:
        let words = try container.decode([String].self, forKey: key)
        if !words.isEmpty { texts[setting.name] = words.joined(separator: ",") }
      }
    }
  }

  var customMirror: Mirror {
    Mirror(
      self,
      children: Selection.settings.filter { $0.places.contains(.option) }
        .map { (label: $0.name, value: $0.parserArgument) })
  }
}

extension Setting {
  /// The declaration of the option, for the parser.
  fileprivate var parserArgument: Any {
    var names: NameSpecification = [.customLong(name)]
    if let short { names = [.customShort(short, allowingJoined: short == "n"), .customLong(name)] }
    let help =
      switch form {
      case .flag: ArgumentHelp(stringLiteral: helpWithDefault)
      case .value(let valueName), .list(let valueName):
        ArgumentHelp(helpWithDefault, valueName: valueName)
      }
    return switch form {
    case .flag: Flag(wrappedValue: false, name: names, help: help)
    case .value: Option<String?>(name: names, help: help)
    case .list: Option<[String]>(wrappedValue: [], name: names, parsing: .singleValue, help: help)
    }
  }
}

/// All options of `run`, in the sections of its help.
struct RunOptions: ParsableArguments {
  enum Search: SettingSelection { static let settings = Setting.all(in: .search) }
  enum Posts: SettingSelection { static let settings = Setting.all(in: .posts) }
  enum Output: SettingSelection { static let settings = Setting.all(in: .output) }
  enum Limits: SettingSelection { static let settings = Setting.all(in: .limits) }
  enum Network: SettingSelection { static let settings = Setting.all(in: .network) }
  enum History: SettingSelection { static let settings = Setting.all(in: .history) }

  @OptionGroup(title: Setting.Group.search.rawValue) var search: SettingOptions<Search>
  @OptionGroup(title: Setting.Group.posts.rawValue) var posts: SettingOptions<Posts>
  @OptionGroup(title: Setting.Group.output.rawValue) var output: SettingOptions<Output>
  @OptionGroup(title: Setting.Group.limits.rawValue) var limits: SettingOptions<Limits>
  @OptionGroup(title: Setting.Group.network.rawValue) var network: SettingOptions<Network>
  @OptionGroup(title: Setting.Group.history.rawValue) var history: SettingOptions<History>

  /// The options that were given, by name.
  var texts: [String: String] {
    [search.texts, posts.texts, output.texts, limits.texts, network.texts, history.texts]
      .reduce(into: [:]) { $0.merge($1) { _, new in new } }
  }
}

extension RunOptions {
  /// The settings of all sections.
  static let settings =
    Search.settings + Posts.settings + Output.settings + Limits.settings + Network.settings
    + History.settings
}

/// The options of `watch`: those of `run` that make sense for a run without end, and its own.
struct WatchOptions: ParsableArguments {
  enum Polling: SettingSelection { static let settings = Setting.all(in: .watch) }
  enum Search: SettingSelection { static let settings = Setting.watched(in: .search) }
  enum Posts: SettingSelection { static let settings = Setting.watched(in: .posts) }
  enum Output: SettingSelection { static let settings = Setting.watched(in: .output) }
  enum Limits: SettingSelection { static let settings = Setting.watched(in: .limits) }
  enum Network: SettingSelection { static let settings = Setting.watched(in: .network) }
  enum History: SettingSelection { static let settings = Setting.watched(in: .history) }

  @OptionGroup(title: Setting.Group.watch.rawValue) var watch: SettingOptions<Polling>
  @OptionGroup(title: Setting.Group.search.rawValue) var search: SettingOptions<Search>
  @OptionGroup(title: Setting.Group.posts.rawValue) var posts: SettingOptions<Posts>
  @OptionGroup(title: Setting.Group.output.rawValue) var output: SettingOptions<Output>
  @OptionGroup(title: Setting.Group.limits.rawValue) var limits: SettingOptions<Limits>
  @OptionGroup(title: Setting.Group.network.rawValue) var network: SettingOptions<Network>
  @OptionGroup(title: Setting.Group.history.rawValue) var history: SettingOptions<History>

  /// The options that were given, by name.
  var texts: [String: String] {
    [
      watch.texts, search.texts, posts.texts, output.texts, limits.texts, network.texts,
      history.texts,
    ].reduce(into: [:]) { $0.merge($1) { _, new in new } }
  }
}

extension WatchOptions {
  /// The settings of all sections.
  static let settings =
    Polling.settings + Search.settings + Posts.settings + Output.settings + Limits.settings
    + Network.settings + History.settings
}

extension Setting {
  fileprivate static func watched(in group: Group) -> [Setting] {
    all(in: group).filter(\.isForWatch).map { $0.explained(watchHelp[$0.name]) }
  }

  /// The help of settings that work differently in a watch.
  private static let watchHelp = [
    "format":
      "Output format, one that can be appended (see: `searchagg help formats`): "
      + "\(OutputFormat.allCases.filter(\.canBeAppended).map(\.rawValue).inWords("or")).",
    "max-time": "Limit the duration of each round.",
    "exec":
      "Run this command for new posts, which it reads as ndjson (see: `searchagg help "
      + "notifications`).",
    "notify":
      "Send new posts to this channel; repeatable (see: `searchagg help notifications`).",
    "undated": "Treatment of undated posts under --since: drop or keep.",
  ]

  fileprivate static func all(in group: Group) -> [Setting] { all.filter { $0.group == group } }
}
