internal import Application
internal import SharedHistory

extension HistorySettings {
  /// The place of the state that a setting names: the absolute path of a file, or the address of a database.
  static func place(_ text: SettingText) throws(CommandFailure) -> String {
    let place = try fileOrDatabase(text.text, from: text.origin)
    if SharedAddress.isAddress(place) { return place }
    return text.context.absolutePath(
      try text.parse(expected: "a file or an address") { $0.isEmpty ? nil : $0 })
  }

  /// Returns the path of a file or the address of a database, unless it holds a password where others see it, or is an
  /// address that nothing knows: it would become a file that no other machine sees.
  static func fileOrDatabase(
    _ text: String, from origin: SettingOrigin
  ) throws(CommandFailure) -> String {
    // As PostgreSQL's own programs also take it, passwords included.
    let parts = text.split(separator: " ")
    let isList = ["host=", "dbname=", "password="].contains { key in
      parts.contains { $0.hasPrefix(key) }
    }
    let scheme = text.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.:".contains($0)) }
    let isOther =
      scheme.first?.isLetter == true && scheme.last == ":"
      && text.dropFirst(scheme.count).hasPrefix("/") && !SharedAddress.isAddress(text)
    guard !isList, !isOther else {
      throw origin.refusal("write a database as postgresql://USER@HOST/NAME")
    }
    guard origin.isOption, SharedAddress(text)?.hasPassword == true else { return text }
    throw origin.refusal(
      "others can see a password on the command line; keep it in ~/.pgpass, or the whole address in "
        + "the configuration file")
  }

  /// The path of the file for a command that reads no other settings; nil if nothing names one.
  static func path(_ reader: SettingsReader) throws -> String? {
    if let setting = Setting.named("no-state"), try reader.text(of: setting)?.isOn() == true {
      return nil
    }
    let text = Setting.named("state").flatMap { reader.text(of: $0) }
    return try text.map(place)
      ?? ConfigurationFolder.state(in: reader.context).map { "\($0)/history.db" }
  }
}
