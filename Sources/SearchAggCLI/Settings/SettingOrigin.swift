/// Where a setting's value stands, for the line that refuses it.
enum SettingOrigin: Hashable, Sendable {
  case flag(String)
  case variable(String)
  case file(path: String, key: String)

  /// The variable of a setting: `SEARCHAGG_PER_SEARCH` for `per-search`.
  static func variableName(of name: String) -> String {
    "SEARCHAGG_" + name.uppercased().replacing("-", with: "_")
  }

  /// The refusal of a value that stands here.
  func refusal(of text: String, expected: String) -> CommandFailure {
    refusal("expected \(expected), found '\(text)'")
  }

  /// A refusal in other words: usage for a flag, configuration for the others.
  func refusal(_ words: String) -> CommandFailure {
    switch self {
    case .flag(let name): CommandFailure(.usage, "--\(name): \(words)")
    case .variable(let name): CommandFailure(.badConfiguration, "\(name): \(words)")
    case .file(let path, let key): CommandFailure(.badConfiguration, "\(path): \(key): \(words)")
    }
  }
}
