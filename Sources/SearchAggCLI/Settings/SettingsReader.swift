/// Finds a setting's value: the flag, else the variable, else the configuration files, in this order.
struct SettingsReader: Sendable {
  let context: Context
  let configuration: Configuration

  /// The text of a setting and where it stands; nil when it is set nowhere.
  func text(_ name: String, flag: String?) -> (text: String, origin: SettingOrigin)? {
    if let flag { return (flag, .flag(name)) }
    let variable = SettingOrigin.variableName(of: name)
    if let text = context.variable(variable) { return (text, .variable(variable)) }
    return configuration.text(of: name)
  }

  /// The value of a setting; nil when it is set nowhere.
  ///
  /// - Parameter expected: What a right value is, for the line that says that this one is not.
  func value<Value>(
    _ name: String, flag: String?, expected: String, parse: (String) -> Value?
  ) throws(CommandFailure) -> Value? {
    guard let (text, origin) = text(name, flag: flag) else { return nil }
    guard let value = parse(text) else { throw origin.refusal(of: text, expected: expected) }
    return value
  }

  /// A whole number within a range.
  func number(
    _ name: String, flag: String?, in range: ClosedRange<Int>
  ) throws(CommandFailure) -> Int? {
    let expected = "a whole number from \(range.lowerBound) to \(range.upperBound)"
    return try value(name, flag: flag, expected: expected) { text in
      Int(text).flatMap { range.contains($0) ? $0 : nil }
    }
  }

  /// A switch: on by its flag, or by a variable or key that says so.
  func isOn(_ name: String, flag: Bool) throws(CommandFailure) -> Bool {
    if flag { return true }
    return try value(name, flag: nil, expected: "true or false") { text in
      switch text.lowercased() {
      case "1", "true", "yes", "on": true
      case "0", "false", "no", "off": false
      case _: nil
      }
    } ?? false
  }
}
