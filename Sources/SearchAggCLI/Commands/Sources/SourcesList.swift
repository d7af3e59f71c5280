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

  /// The format of the list.
  enum Format: String, CaseIterable, ExpressibleByArgument { case text, json }

  @Option(help: "Print text or JSON.")
  var format = Format.text

  @OptionGroup var options: SettingOptions<ConfigOption>

  func run(in context: Context) async throws -> CommandStatus {
    let setups = try options.world(in: context).directory.setups
    switch format {
    case .text:
      try context.output.write(
        Array(page(setups, columns: context.outputScreen?.columns).utf8))
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
      text: (sections + [catalog(without: Set(setups.map(\.source.name)))]).joined(separator: "\n")
        + "\nSee `searchagg sources show NAME` for the rest.\n"
    )
    return page.lines(columns: min(columns ?? 80, 80))
  }
}

extension SourcesList {
  /// The networks of the catalog that are off, by subject.
  private func catalog(without enabled: Set<SourceName>) -> String {
    let lines = Catalog.Subject.allCases.compactMap { subject -> String? in
      let names = Catalog.entries(about: subject).map(\.name).filter { !enabled.contains($0) }
      guard !names.isEmpty else { return nil }
      let gap = String(repeating: " ", count: max(18 - subject.rawValue.count, 3))
      return "  \(subject.rawValue)\(gap)\(names.map(\.rawValue).joined(separator: ", "))"
    }
    return "SEARCHED WHEN NAMED (--source NAME or SUBJECT; `sources enable` for every run)\n"
      + lines.joined(separator: "\n") + "\n"
  }
}

extension SourceSetup {
  /// The most servers that the list names: there may be hundreds of feeds.
  private static let namedServers = 4

  /// The servers of a source that is ready, or what it needs and where to get that.
  fileprivate var needs: [String] {
    let names = source.traits.credentialNames
    let page = names.first.flatMap { CredentialGuide.guide(to: $0)?.page }.map { " (\($0))" } ?? ""
    let credential = "set \(names.joined(separator: " and "))\(page)"
    var needs: [String] = []
    if isOff { needs.append("searched only when named, or after `sources enable`") }
    if servers.isEmpty {
      needs.append("needs an address: set \(addressVariable)")
    } else if isAskedByDefault {
      let most = servers.count > Self.namedServers ? Self.namedServers - 1 : servers.count
      let rest = servers.count - most
      needs.append(
        servers.prefix(most).map { $0.title ?? $0.address.text }.joined(separator: ", ")
          + (rest == 0 ? "" : " and \(rest) more"))
    }
    let hasCredentials = servers.contains { $0.credentials != nil }
    if names.isEmpty || hasCredentials { return needs }
    if source.traits.needsCredentials {
      needs.append("needs a credential: \(credential)")
    } else if !source.traits.answersStrangers {
      needs.append("searched only when named; to change that, \(credential)")
    } else {
      needs.append("more with \(names.joined(separator: " and "))")
    }
    return needs
  }

  /// Everything about the source, a line for each fact.
  var facts: [String] {
    let traits = source.traits
    let facts: [(String, String)] =
      [
        ("ready", isAskedByDefault ? "yes" : "no"),
        ("needs", needs.joined(separator: "; ")),
        ("credentials", traits.credentialNames.joined(separator: ", ")),
        ("address variable", addressVariable),
        ("filters itself", filters.joined(separator: ", ")),
        ("costs", traits.cost?.inWords ?? ""),
        ("terms", traits.attribution),
      ]
      + networkFacts + feeds
    return facts.filter { !$0.1.isEmpty }
      .map { ControlCodes.strippedToLine("# \($0.0): \($0.1)") }
  }

  /// The feeds that have names.
  private var feeds: [(String, String)] {
    servers.compactMap { server in
      guard server.title != nil || server.folder != nil else { return nil }
      let folder = server.folder.map { " (in \($0))" } ?? ""
      return ("feed", "\(server.title ?? "")\(folder): \(server.address.text)")
    }
  }

  /// What a declaration tells its readers.
  private var networkFacts: [(String, String)] {
    guard let source = source as? any DeclaredSource else { return [] }
    let facts = source.facts
    let isFromCatalog = facts.checked != nil && Catalog.entry(named: source.name.rawValue) != nil
    return [
      ("network", [facts.title, facts.what].compactMap(\.self).joined(separator: ": ")),
      ("documentation", facts.documentation ?? ""), ("its terms", facts.terms ?? ""),
      ("limits", facts.limits ?? ""), ("checked", facts.checked ?? ""),
      ("unsure", facts.unsure.joined(separator: "; ")),
      ("left out", facts.lost.joined(separator: "; ")),
      (
        "never tried",
        isFromCatalog
          ? "against the live service: please report what it does, with a recording of "
            + "`searchagg run --source \(source.name) --record FOLDER`" : ""
      ),
    ]
  }

  /// The filters that its network applies itself; the rest is filtered here.
  fileprivate var filters: [String] {
    let known: [(QueryAbilities, String)] = [
      (.authors, "author"), (.languages, "language"), (.phrases, "phrase"),
      (.excludedWords, "-word"),
    ]
    let abilities = source.traits.abilities
    return (source.traits.filtersByDate ? ["date"] : [])
      + known.filter { abilities.contains($0.0) }.map(\.1)
  }

  /// The source as an object, for programs.
  fileprivate var listing: JSONValue {
    let traits = source.traits
    return .members([
      "name": .string(source.name.rawValue),
      "declared": .bool(source is any DeclaredSource && Sources.named(source.name.rawValue) == nil),
      "subject": Catalog.entry(named: source.name.rawValue).map { .string($0.subject.rawValue) },
      "ready": .bool(isAskedByDefault),
      "credentials": .array(traits.credentialNames.map(JSONValue.string)),
      "needs_credentials": .bool(traits.needsCredentials),
      "address_variable": .string(addressVariable),
      "servers": .array(servers.map { .string($0.address.text) }),
      "feeds": source is Feed ? .array(servers.map(\.feedListing)) : nil,
      "filters": .array(filters.map(JSONValue.string)),
      "page_size": .array([
        .integer(traits.pageSize.lowerBound), .integer(traits.pageSize.upperBound),
      ]),
      "ceiling": traits.ceiling.map { .integer($0) },
      "cost": traits.cost.map { cost in
        .members([
          "per_request": .integer(cost.perRequest), "per_post": .integer(cost.perPost),
          "unit": .string(cost.unit),
        ])
      },
      "terms": .string(traits.attribution),
    ])
  }
}

extension RequestCost {
  /// The cost of a request, for people: `quota units: 100 a request`.
  var inWords: String {
    let parts = [(perRequest, "request"), (perPost, "post")].filter { $0.0 > 0 }
    return "\(unit): \(parts.map { "\($0.0) a \($0.1)" }.joined(separator: ", "))"
  }
}

extension SourceSetup.Server {
  fileprivate var feedListing: JSONValue {
    .members([
      "url": .string(address.text), "title": title.map { .string($0) },
      "folder": folder.map { .string($0) },
    ])
  }
}
