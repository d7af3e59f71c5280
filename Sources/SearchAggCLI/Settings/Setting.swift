internal import Application

/// A setting of a run: its option, variable, configuration key, default, help and parser, stated once.
///
/// The command line, the variables, the configuration files, `config show`, the help pages, the
/// completions and the man page all read `Setting.all`.
struct Setting: Sendable {
  /// A section of the options of `run` and `watch` in their help.
  enum Group: String, CaseIterable, Sendable {
    case search = "what to search"
    case posts = "which posts"
    case output
    case limits
    case network
    case history = "between runs"
    /// The options that only `watch` has.
    case watch
  }

  /// The shape of an option.
  enum Form: Hashable, Sendable {
    /// A switch, which is on when it is given.
    case flag
    /// An option with a value, which the help calls by this name.
    case value(String)
    /// The same, repeatable: the values become one list with commas.
    case list(String)
  }

  /// The places where a setting can be set.
  struct Places: OptionSet, Sendable {
    let rawValue: Int

    static let option = Places(rawValue: 1)
    static let variable = Places(rawValue: 2)
    static let file = Places(rawValue: 4)
    static let all: Places = [.option, .variable, .file]
  }

  /// The values that a shell offers.
  enum Completion: Hashable, Sendable {
    case none, files, folders, sources
    case values([String])
  }

  typealias Apply = @Sendable (SettingText, inout WrittenSettings) throws -> Void

  /// The option without its dashes, which is the key in a configuration file, too.
  let name: String
  let short: Character?
  let form: Form
  let group: Group
  /// One sentence for the help, without the default.
  private(set) var help: String
  /// The value where nothing sets it, spelled as in all other places.
  let defaultText: String?
  /// The words of the help in place of the default, where it depends on other settings.
  let defaultNote: String?
  let places: Places
  /// True if `./searchagg.json`, which somebody else may have written, can set it. Nothing may that
  /// runs a program, sends, writes, spends or waits longer.
  let isAllowedInProject: Bool
  /// True if the values of the option, the variable and each file are combined; otherwise the first one
  /// wins.
  let isAdditive: Bool
  /// False for an option that only `run` has, since a watch has no end to sort, count or page at, keeps
  /// a state, and never replaces what it has written.
  let isForWatch: Bool
  let completion: Completion
  /// The texts that mean the same as when nothing sets it, beside the default.
  let off: Set<String>
  /// The rules of what it needs and excludes.
  let rules: [SettingRule]
  /// Parses the text and stores the value.
  let apply: Apply

  /// The same setting in the words of a command where it means something of its own.
  func explained(_ help: String?) -> Setting {
    var setting = self
    setting.help = help ?? setting.help
    return setting
  }

  init(
    _ name: String, short: Character? = nil, _ form: Form, _ group: Group, _ help: String,
    default defaultText: String? = nil, defaultNote: String? = nil, places: Places = .all,
    isAllowedInProject: Bool = false, isAdditive: Bool = false, isForWatch: Bool = true,
    completion: Completion = .none, off: Set<String> = [], rules: [SettingRule] = [],
    apply: @escaping Apply
  ) {
    self.name = name
    self.short = short
    self.form = form
    self.group = group
    self.help = help
    self.defaultText = defaultText
    self.defaultNote = defaultNote
    self.places = places
    self.isAllowedInProject = isAllowedInProject
    self.isAdditive = isAdditive
    self.isForWatch = isForWatch
    self.completion = completion
    self.off = off
    self.rules = rules
    self.apply = apply
  }

  /// A switch, which is off unless something turns it on.
  static func flag(
    _ name: String, short: Character? = nil, _ group: Group, _ help: String,
    places: Places = .all, isAllowedInProject: Bool = false, isForWatch: Bool = true,
    rules: [SettingRule] = [], into place: any WritableKeyPath<WrittenSettings, Bool> & Sendable
  ) -> Setting {
    Setting(
      name, short: short, .flag, group, help, places: places,
      isAllowedInProject: isAllowedInProject, isForWatch: isForWatch, rules: rules
    ) { text, settings in settings[keyPath: place] = try text.isOn() }
  }

  /// A choice among the cases of a type, which the help lists.
  static func choice<Choice: RawRepresentable<String> & CaseIterable & Sendable>(
    _ name: String, _ valueName: String, _ group: Group, _ help: String,
    default defaultChoice: Choice,
    isAllowedInProject: Bool = false, isForWatch: Bool = true, rules: [SettingRule] = [],
    into place: any WritableKeyPath<WrittenSettings, Choice> & Sendable
  ) -> Setting {
    let values = Choice.allCases.map(\.rawValue)
    return Setting(
      name, .value(valueName), group, "\(help): \(values.inWords("or")).",
      default: defaultChoice.rawValue, isAllowedInProject: isAllowedInProject,
      isForWatch: isForWatch, completion: .values(values), rules: rules
    ) { text, settings in
      settings[keyPath: place] = try text.choice()
    }
  }

  /// Returns whether a text turns the setting on, or changes its default.
  func isOn(_ text: SettingText) throws(CommandFailure) -> Bool {
    form == .flag ? try text.isOn() : text.text != defaultText && !off.contains(text.text)
  }

  /// The environment variable: `SEARCHAGG_PER_SEARCH` for `per-search`.
  var variable: String { Self.variable(of: name) }

  static func variable(of name: String) -> String {
    // By bytes, as every start makes the names of all settings; all names are ASCII.
    let bytes = name.utf8.map { byte in
      switch byte {
      case UInt8(ascii: "-"), UInt8(ascii: "."): UInt8(ascii: "_")
      case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - 0x20
      default: byte
      }
    }
    return "SEARCHAGG_" + String(decoding: bytes, as: UTF8.self)
  }

  /// The name of its value in the help; nil for a switch.
  var valueName: String? {
    switch form {
    case .flag: nil
    case .value(let name), .list(let name): name
    }
  }

  /// The help with the default at its end.
  var helpWithDefault: String {
    guard let note = defaultNote ?? defaultText.map({ "default: \($0)" }) else { return help }
    guard help.hasSuffix(")."), let end = help.lastIndex(of: ")") else {
      return "\(help.dropLast()) (\(note))."
    }
    return "\(help[..<end]); \(note))."
  }

  /// The setting of a name; nil for a name that is unknown.
  static func named(_ name: String) -> Setting? { all.first { $0.name == name } }

  /// The settings of these names, in the order of the table.
  ///
  /// - Parameter help: The help of those that work differently in a command, by name.
  static func only(_ names: Set<String>, explained help: [String: String] = [:]) -> [Setting] {
    let settings = all.filter { names.contains($0.name) }
    precondition(settings.count == names.count, "no setting has one of these names")
    return settings.map { $0.explained(help[$0.name]) }
  }
}
