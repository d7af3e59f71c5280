internal import Application

/// The place where a value was set, for error messages about it.
enum SettingOrigin: Hashable, Sendable {
  case option(String)
  case variable(String)
  case file(path: String, key: String)
  /// Nothing sets it: this is the default.
  case `default`

  /// The configuration file of a project, as messages show it.
  static let projectPath = "./searchagg.json"

  var isOption: Bool { if case .option = self { true } else { false } }

  /// True if it is the file of the current folder, which somebody else may have written.
  var isProject: Bool {
    if case .file(Self.projectPath, _) = self { true } else { false }
  }

  /// The place for people.
  var inWords: String {
    switch self {
    case .option(let name): "--\(name)"
    case .variable(let name): name
    case .file(let path, _): path
    case .default: "default"
    }
  }

  /// The refusal of a value that was set here.
  func refusal(of text: String, expected: String) -> CommandFailure {
    refusal("expected \(expected), found '\(text)'")
  }

  /// The error for a value that was set here: wrong usage for an option, wrong configuration elsewhere.
  func refusal(_ words: String) -> CommandFailure {
    switch self {
    case .option(let name): CommandFailure(.usage, "--\(name): \(words)")
    case .variable(let name): CommandFailure(.badConfiguration, "\(name): \(words)")
    case .file(let path, let key): CommandFailure(.badConfiguration, "\(path): \(key): \(words)")
    case .default: CommandFailure(.bug, "a default is wrong: \(words)")
    }
  }
}
