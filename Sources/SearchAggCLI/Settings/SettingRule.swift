internal import Application
internal import Printing
internal import SearchEngine
internal import SearchModel

/// A rule of what a setting needs or excludes, with the words that refuse it.
///
/// Rules are stated in the table, beside the setting that they belong to, and count where it is on.
struct SettingRule: Sendable {
  /// The commands that it counts for.
  private let uses: Set<SettingsUse>
  /// True if it counts for the option alone: what is set elsewhere is for the runs that can use it.
  private let isForOption: Bool
  /// Returns what is wrong; nil if nothing is.
  private let fault: @Sendable (WrittenSettings) -> CommandFailure?

  private static let all = Set(SettingsUse.allCases)
  /// The commands that print posts.
  private static let printing: Set<SettingsUse> = [.run, .watch, .print]
  /// The settings by which a run depends on earlier ones.
  private static let dependences = ["new", "new-all", "backfill", "retry-failed"]

  private init(
    _ uses: Set<SettingsUse> = all, isForOption: Bool = false,
    _ fault: @escaping @Sendable (WrittenSettings) -> CommandFailure?
  ) {
    (self.uses, self.isForOption, self.fault) = (uses, isForOption, fault)
  }

  /// Refuses settings that break a rule; the first one in the order of the table is reported.
  static func check(_ written: WrittenSettings, for use: SettingsUse) throws(CommandFailure) {
    for setting in Setting.all where written.isOn(setting.name) {
      for rule in setting.rules where rule.uses.contains(use) {
        if rule.isForOption, !written.isOption(setting.name) { continue }
        if let fault = rule.fault(written) { throw fault }
      }
    }
  }

  // MARK: - Settings that exclude each other

  /// It cannot be used with another setting.
  static func excludes(_ names: String..., because words: String) -> SettingRule {
    SettingRule { written in
      names.contains(where: written.isOn) ? CommandFailure(.usage, words) : nil
    }
  }

  /// The same, for a run, and for the option alone.
  static func optionExcludes(
    _ names: String..., in uses: Set<SettingsUse> = [.run], because words: String
  ) -> SettingRule {
    SettingRule(uses, isForOption: true) { written in
      names.contains(where: written.isOn) ? CommandFailure(.usage, words) : nil
    }
  }

  /// It cannot be used in a run that depends on earlier ones, or with further settings.
  static func excludesDependence(
    and names: String..., because words: @escaping @Sendable (_ option: String) -> String
  ) -> SettingRule {
    SettingRule([.run]) { written in
      (dependences + names).first(where: written.isOn)
        .map { CommandFailure(.usage, words("--\($0)")) }
    }
  }

  /// It resumes by itself what earlier runs have kept.
  static func needsHistory(_ option: String) -> [SettingRule] {
    [
      SettingRule([.run]) { written in
        ["no-history", "no-state"].contains(where: written.isOn)
          ? CommandFailure(
            .usage, "\(option) needs the history, and --no-history and --no-state keep none") : nil
      },
      SettingRule([.run]) { written in
        ["new", "new-all"].contains(where: written.isOn)
          ? CommandFailure(
            .usage, "\(option) cannot be used with --new, which resumes by itself") : nil
      },
    ]
  }

  /// No watch can use it.
  static func excludesWatch(because words: String) -> SettingRule {
    SettingRule([.watch]) { _ in CommandFailure(.usage, words) }
  }

  // MARK: - Settings that need others

  /// It needs at least one of other settings.
  static func needs(
    _ names: String..., isForOption: Bool = false, because words: String
  ) -> SettingRule {
    SettingRule([.run], isForOption: isForOption) { written in
      names.contains(where: written.isOn) ? nil : CommandFailure(.usage, words)
    }
  }

  // MARK: - Settings and formats

  /// The option needs a format with fields.
  static func needsFields(_ option: String) -> SettingRule {
    SettingRule(printing, isForOption: true) { written in
      let isOther = written.outputTemplate != nil || written.countBy != nil
      guard isOther || !written.outputFormat.hasFields else { return nil }
      let names = OutputFormat.allCases.filter(\.hasFields).map(\.rawValue).inWords("or")
      return CommandFailure(.usage, "\(option) needs --format \(names)")
    }
  }

  /// The option needs a format that spreadsheets open.
  static func needsCells(_ option: String) -> SettingRule {
    SettingRule(printing, isForOption: true) { written in
      let isTable = [.csv, .tsv].contains(written.outputFormat)
      guard written.outputTemplate != nil || !isTable else { return nil }
      return CommandFailure(.usage, "\(option) needs --format csv or tsv")
    }
  }

  /// The option is the name of a format, so that another one contradicts it.
  static let isOnlyFormat = SettingRule(printing, isForOption: true) { written in
    written.isOption("format") && written.format != .json
      ? CommandFailure(.usage, "--json contradicts --format \(written.format.rawValue)") : nil
  }

  /// A template is a format of its own.
  static let isFormat = SettingRule(printing, isForOption: true) { written in
    written.outputFormat == .text && written.countBy == nil
      ? nil
      : CommandFailure(.usage, "--template cannot be combined with --format or --count-by")
  }

  /// Numbers are printed in a few formats only.
  static let needsCountFormat = SettingRule(printing) { written in
    guard !CountPrinter.formats.contains(written.outputFormat) else { return nil }
    let names = CountPrinter.formats.map(\.rawValue).inWords("or")
    return CommandFailure(
      .usage, "--count-by prints \(names), not \(written.outputFormat.rawValue)")
  }

  /// The statistics would replace the posts.
  static let isOtherFile = SettingRule { written in
    written.statisticsPath == written.outputPath
      ? CommandFailure(.usage, "--stats-file and --output name the same file") : nil
  }

  /// The option needs a file.
  static let needsFile = SettingRule(printing, isForOption: true) { written in
    written.outputPath == nil
      ? CommandFailure(.usage, "--append needs a file: name it with --output") : nil
  }

  /// A file is continued in a format that can grow.
  static let needsGrowingFormat = SettingRule { written in
    guard let path = written.outputPath else { return nil }
    // Each output of numbers begins with the names of its columns.
    if written.countBy != nil, [.csv, .tsv].contains(written.outputFormat) {
      return CommandFailure(
        .usage, "--append cannot continue a \(written.outputFormat.rawValue) file with --count-by")
    }
    return written.outputFormat
      .appendingFault("--append cannot continue a file in the format", to: path)
      .map { CommandFailure(.usage, $0) }
  }

  /// There must be time between two dates.
  static let isAfterSince = SettingRule { written in
    guard let since = written.limits.since, let until = written.limits.until, since >= until else {
      return nil
    }
    let isOption = written.isOption("since") || written.isOption("until")
    return CommandFailure(
      isOption ? .usage : .badConfiguration,
      "--since must be earlier than --until: no post can be between them")
  }
}
