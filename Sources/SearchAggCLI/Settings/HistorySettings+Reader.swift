internal import Application

extension HistorySettings {
  /// The path of the file for a command that reads no other settings; nil where there is none.
  static func path(_ reader: SettingsReader) throws -> String? {
    if let setting = Setting.named("no-state"), try reader.text(of: setting)?.isOn() == true {
      return nil
    }
    let path = Setting.named("state").flatMap { reader.text(of: $0)?.text }
    return path.map(reader.context.absolutePath)
      ?? ConfigurationFolder.state(in: reader.context).map { "\($0)/history.db" }
  }
}
