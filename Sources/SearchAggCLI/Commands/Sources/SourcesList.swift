internal import Application
internal import ArgumentParser
internal import SearchModel
internal import SearchSources
internal import TextFormats

/// `searchagg sources list`.
struct SourcesList: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the networks: which are ready, and what the others need.")

  @Option(help: "Print text or JSON.")
  var format = ReportFormat.text

  @OptionGroup var options: SettingOptions<ConfigOption>

  func run(in context: Context) async throws -> CommandStatus {
    // A program can leave out what is off, but not guess it.
    let off = format == .json ? Catalog.entries.map(\.name.rawValue) : []
    let setups = try options.world(naming: off, in: context).directory.setups
    switch format {
    case .text:
      try context.write(page(setups, columns: context.outputScreen?.columns))
    case .json:
      try context.output.write(JSONValue.array(setups.map(\.listing)).visibleFileBytes)
    }
    return .success
  }

  /// The sources in two groups, in lines of at most 80 columns.
  private func page(_ setups: [SourceSetup], columns: Int?) -> String {
    let groups = [
      ("READY", setups.filter(\.isAskedByDefault)),
      ("NOT READY", setups.filter { !$0.isAskedByDefault }),
    ]
    let sections = groups.filter { !$0.1.isEmpty }.map { title, setups in
      let lines = setups.map { setup in
        let name = setup.source.name.rawValue
        let gap = String(repeating: " ", count: max(20 - name.count - 2, 3))
        return "  \(name)\(gap)\(setup.needs.joined(separator: "; "))"
      }
      return "\(title)\n\(lines.joined(separator: "\n"))\n"
    }
    let page = HelpPage(
      text: (sections + [page(of: catalog(without: setups))]).joined(separator: "\n")
        + "\nSee `searchagg sources show NAME` for the rest.\n"
    )
    return page.lines(columns: min(columns ?? 80, 80))
  }
}

extension SourcesList {
  /// The networks of the catalog that are off.
  private func catalog(without enabled: [SourceSetup]) -> [Catalog.Entry] {
    let names = Set(enabled.map(\.source.name))
    return Catalog.entries.filter { !names.contains($0.name) }
  }

  /// Networks of the catalog, by subject.
  private func page(of entries: [Catalog.Entry]) -> String {
    let lines = Catalog.Subject.allCases.compactMap { subject -> String? in
      let names = entries.filter { $0.subject == subject }.map(\.name)
      guard !names.isEmpty else { return nil }
      let gap = String(repeating: " ", count: max(18 - subject.rawValue.count, 3))
      return "  \(subject.rawValue)\(gap)\(names.map(\.rawValue).joined(separator: ", "))"
    }
    return "SEARCHED WHEN NAMED (--source NAME or SUBJECT; `sources enable` for every run)\n"
      + lines.joined(separator: "\n") + "\n"
  }
}
