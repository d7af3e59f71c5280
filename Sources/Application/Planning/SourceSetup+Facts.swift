internal import SearchModel
internal import SearchSources
package import TextFormats

extension SourceSetup {
  /// The most servers that the list names: there may be hundreds of feeds.
  private static let namedServers = 4

  /// The servers of a source that is ready, or what it needs and where to get that.
  package var needs: [String] {
    let names = source.traits.credentialNames
    let page = names.first.flatMap { CredentialGuide.guide(to: $0)?.page }.map { " (\($0))" } ?? ""
    let ownAdvice = servers.lazy.compactMap(\.credentialAdvice).first
    let credential = ownAdvice ?? "set \(names.joined(separator: " and "))\(page)"
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
    } else if !source.traits.isSearchedAnonymously {
      needs.append("searched only when named; to change that, \(credential)")
    } else {
      let more = ownAdvice.map { "credentials: \($0)" } ?? names.joined(separator: " and ")
      needs.append("more with \(more)")
    }
    return needs
  }

  /// Everything about the source, a line for each fact.
  package var facts: [String] {
    let traits = source.traits
    let facts: [(String, String)] =
      [
        ("ready", isAskedByDefault ? "yes" : "no"),
        (isAskedByDefault ? "asks" : "missing", needs.joined(separator: "; ")),
        ("credentials", traits.credentialNames.joined(separator: ", ")),
        ("address variable", addressVariable),
        ("searched by the network", filters.joined(separator: ", ")),
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

  /// The facts about a declaration.
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
        "not yet tested",
        isFromCatalog
          ? "against the live service: please report what it does, with a recording of "
            + "`searchagg run --source \(source.name) --record FOLDER`" : ""
      ),
    ]
  }

  /// The filters that its network applies itself; the rest is filtered here.
  private var filters: [String] {
    let known: [(QueryAbilities, String)] = [
      (.authors, "author"), (.languages, "language"), (.phrases, "phrase"),
      (.excludedWords, "-word"),
    ]
    let abilities = source.traits.abilities
    return (source.traits.filtersByDate ? ["date"] : [])
      + known.filter { abilities.contains($0.0) }.map(\.1)
  }

  /// The source as an object, for programs.
  package var listing: JSONValue {
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
