internal import Application
internal import Printing
internal import SearchModel

extension WrittenSettings {
  /// Parses all settings, and refuses those that contradict each other.
  init(from reader: SettingsReader, for use: SettingsUse) throws {
    self.init(now: reader.context.now())
    // Other dates are relative to it.
    try read(.now, from: reader)
    for setting in Setting.all where setting.name != Setting.now.name {
      try read(setting, from: reader)
    }
    dropConfiguredCounts()
    try SettingRule.check(self, for: use)
  }

  /// Options for the posts themselves come before numbers of posts that are configured.
  private mutating func dropConfiguredCounts() {
    guard countBy != nil, !isOption("count-by") else { return }
    let isForPosts = ["template", "fields", "posts-only"].contains(where: isOption)
    let isFormatGiven = ["format", "output"].contains(where: isOption)
    guard isForPosts || isFormatGiven && !CountPrinter.formats.contains(outputFormat) else {
      return
    }
    (countBy, words["count-by"]) = (nil, nil)
  }

  private mutating func read(_ setting: Setting, from reader: SettingsReader) throws {
    guard let text = reader.text(of: setting) else { return }
    try setting.apply(text, &self)
    guard text.origin != .default else { return }
    words[setting.name] = Word(
      text.text, isOption: text.origin.isOption, isOn: try setting.isOn(text))
  }

  /// A line for each setting whose text is wrong, and for those that contradict each other.
  static func faults(in reader: SettingsReader) -> [String] {
    func message(_ check: () throws -> Void) -> String? {
      do {
        try check()
        return nil
      } catch {
        return error.shown
      }
    }
    let faults = Setting.all.compactMap { setting in
      message {
        var written = WrittenSettings(now: reader.context.now())
        try written.read(setting, from: reader)
      }
    }
    return faults.isEmpty
      ? [message { _ = try WrittenSettings(from: reader, for: .ask) }].compactMap(\.self) : faults
  }
}

extension RunSettings {
  /// The settings of a command that plans no run.
  init(from reader: SettingsReader, for use: SettingsUse) throws {
    self.init(try WrittenSettings(from: reader, for: use), for: use)
  }
}
