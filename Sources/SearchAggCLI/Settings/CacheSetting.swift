/// Where answers are kept: `on`, `off` or a folder.
enum CacheSetting {
  /// The folder that was chosen; nil for none.
  static func folder(
    _ flag: String?, from reader: SettingsReader
  ) throws(CommandFailure) -> String? {
    guard let (text, origin) = reader.text("cache", flag: flag) else { return nil }
    switch text {
    case "": throw origin.refusal(of: text, expected: "on, off or a folder")
    case "off", "false": return nil
    case "on", "true":
      guard let folder = ConfigurationFolder.cache(in: reader.context) else {
        throw origin.refusal("neither XDG_CACHE_HOME nor HOME says where; name a folder")
      }
      return folder
    case _: return reader.context.absolutePath(text)
    }
  }
}
