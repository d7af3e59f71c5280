internal import ArgumentParser
internal import SearchModel
internal import SearchSources
internal import TextFormats

/// `searchagg sources list`.
struct SourcesList: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "Show the networks that can be asked: what each needs, filters and costs.")

  /// How the list is written.
  enum Format: String, CaseIterable, ExpressibleByArgument { case text, json }

  @Option(help: "How to show them: a table or JSON.")
  var format = Format.text

  @OptionGroup var options: SettingOptions<ConfigOption>

  func run(in context: Context) async throws -> CommandStatus {
    let setups = try options.world(in: context).directory.setups
    switch format {
    case .text: try context.output.write(Array(table(setups).utf8))
    case .json:
      try context.output.write(JSONValue.array(setups.map(\.listing)).visibleFileBytes)
    }
    return .success
  }

  private func table(_ setups: [SourceSetup]) -> String {
    TextTable(columns: [
      ["NAME"] + setups.map(\.source.name.rawValue),
      ["READY"] + setups.map { $0.isAskedByDefault ? "yes" : "no" },
      ["NEEDS"] + setups.map(\.needs),
      ["FILTERS"] + setups.map { $0.filters.joined(separator: ",") },
      ["COSTS"] + setups.map { $0.source.traits.cost?.inWords ?? "" },
      ["ADDRESS"] + setups.map { $0.servers.map(\.address.text).joined(separator: ",") },
      ["TERMS"] + setups.map(\.source.traits.attribution),
    ]).text
  }
}

extension SourceSetup {
  /// What it needs before it can be asked, for people.
  fileprivate var needs: String {
    let names = source.traits.credentialNames.joined(separator: " and ")
    var needs: [String] = []
    if source.traits.needsCredentials { needs.append(names) }
    if source.traits.defaultServer == nil, servers.isEmpty { needs.append("an address") }
    let words = needs.isEmpty ? "nothing" : needs.joined(separator: " and ")
    return names.isEmpty || source.traits.needsCredentials ? words : "\(words); more with \(names)"
  }

  /// What its network filters itself; the rest is filtered here.
  fileprivate var filters: [String] {
    let known: [(QueryAbilities, String)] = [
      (.authors, "author"), (.languages, "language"), (.phrases, "phrase"),
      (.excludedWords, "-word"),
    ]
    let abilities = source.traits.abilities
    return (source.traits.filtersByDate ? ["date"] : [])
      + known.filter { abilities.contains($0.0) }.map(\.1)
  }

  /// It as an object, for programs.
  fileprivate var listing: JSONValue {
    let traits = source.traits
    return .members([
      "name": .string(source.name.rawValue), "declared": .bool(source is DeclaredJSON),
      "ready": .bool(isAskedByDefault),
      "credentials": .array(traits.credentialNames.map(JSONValue.string)),
      "needs_credentials": .bool(traits.needsCredentials),
      "address_variable": .string(Self.addressVariable(of: source.name)),
      "servers": .array(servers.map { .string($0.address.text) }),
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
  /// What a request costs, for people: `quota units: 100 a request`.
  var inWords: String {
    let parts = [(perRequest, "request"), (perPost, "post")].filter { $0.0 > 0 }
    return "\(unit): \(parts.map { "\($0.0) a \($0.1)" }.joined(separator: ", "))"
  }
}
