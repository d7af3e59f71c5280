internal import Application
internal import ArgumentParser
internal import SafeFiles
internal import SearchModel
internal import SearchSources
internal import TextFormats

/// `searchagg sources add SOURCE URL…`.
struct SourcesAdd: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Add servers of a network, or subscribe to feeds.",
    discussion: """
      The servers are stored in your configuration file, beside the network's own. For the address of a \
      web page, the first feed that it names is stored instead.

      EXAMPLES:
          searchagg sources add feed https://www.swift.org/atom.xml
          searchagg sources add feed --opml subscriptions.opml
          searchagg sources add lemmy https://lemmy.ml
          searchagg sources add gitea https://git.example
          searchagg sources add mastodon https://a.example --token-variable A_TOKEN
          searchagg auth set SOCIAL_TOKEN
      """)

  @Argument(help: ArgumentHelp("The network, such as feed or mastodon.", valueName: "source"))
  var source: String

  @Argument(
    help: ArgumentHelp("The address of a server, or the complete one of a feed.", valueName: "url"))
  var addresses: [String] = []

  @Option(
    help: ArgumentHelp(
      "Add the feeds of this OPML file; - reads standard input.", valueName: "file"))
  var opml: String?

  @Option(
    name: .customLong("token-variable"),
    help: ArgumentHelp(
      "Send this credential to the servers; repeatable where a network takes several.",
      valueName: "name"))
  var tokenVariables: [String] = []

  @OptionGroup var options: SettingOptions<RequestOptions>

  func run(in context: Context) async throws -> CommandStatus {
    let source = try ServerList.source(
      named: source, file: options.texts["config"], in: context)
    guard source.name == "feed" else { return try addServers(of: source, in: context) }
    guard tokenVariables.isEmpty else {
      throw CommandFailure(.usage, "--token-variable: feeds are read without a credential")
    }
    let listed = try opml.map { try Self.subscriptions(in: $0, context) } ?? []
    let named = try ServerList.checked(addresses, of: source)
    let (subscriptions, unread) = ServerList.readable(listed, of: source)
    if let opml, !unread.isEmpty {
      let names = unread.map { "'\(AddressText.censored($0))'" }.joined(separator: ", ")
      let line =
        "\(opml): left out \(names): expected an address such as https://example.org/feed.xml"
      guard !subscriptions.isEmpty else { throw CommandFailure(.malformedInput, line) }
      context.report(line)
    }
    guard !named.isEmpty || !subscriptions.isEmpty else {
      throw CommandFailure(.usage, "no feed was given: name addresses, or a file with --opml")
    }
    let list = try ServerList(of: source, named: options.texts["config"], in: context)
    let known = try list.addresses()
    let wanted =
      try await feeds(of: named, knowing: known, in: context).map { Subscription(address: $0) }
      + subscriptions
    let added = try list.add(wanted)
    guard added != 0 else {
      throw CommandFailure(
        .nothing,
        "\(Plural.count(wanted.count, "feed")) already in \(list.path); nothing changed")
    }
    context.report("added \(Plural.count(added, "feed")) to \(list.path)")
    list.warnOfVariable(in: context)
    return .success
  }

  /// The feeds of an OPML file.
  private static func subscriptions(
    in path: String, _ context: Context
  ) throws -> [Subscription] {
    let bytes = try QueryWords.contents(of: path, in: context)
    guard let feeds = OPML.subscriptions(in: bytes) else {
      throw CommandFailure(.malformedInput, "\(path): not an OPML file")
    }
    return feeds
  }

  private func addServers(
    of source: any Source, in context: Context
  ) throws -> CommandStatus {
    let name = source.name.rawValue
    guard opml == nil else { throw CommandFailure(.usage, "--opml: an OPML file holds only feeds") }
    let wanted = try ServerList.checked(addresses, of: source)
    guard !wanted.isEmpty else {
      throw CommandFailure(
        .usage, "no server was given: searchagg sources add \(name) https://social.example")
    }
    try checkVariables(of: source)
    let file = options.texts["config"]
    let list = try ServerList(of: source, named: file, in: context)
    let added = try list.add(wanted, variables: tokenVariables, beside: source.traits.defaultServer)
    guard added != 0 else {
      let names = wanted.map(AddressText.censored).joined(separator: ", ")
      throw CommandFailure(.nothing, "\(names): already in \(list.path); nothing changed")
    }
    let all = try list.addresses()
    context.report("\(name) now has \(all.joined(separator: ", ")), in \(list.path)")
    let option = file.map { " --config \(ShellWord.quoted($0))" } ?? ""
    let knownSources = try Configuration(named: file, isPersonal: true, in: context).knownSources
    if knownSources.named(name) == nil {
      context.report(
        "searched only when named; to search it in every run: searchagg sources enable \(name)\(option)"
      )
    }
    let stored = try Secrets(in: context)
    let known = source.traits.credentialNames
    let without = try all.count > 1 ? list.addressesWithoutCredential() : []
    if !without.isEmpty, !known.isEmpty, source.traits.needsCredentials || stored.hold(known) {
      let variables = known.map { _ in " --token-variable NAME" }.joined()
      context.report(
        "\(known.inWords("and")) is not sent while there are several servers; give each its own variable: "
          + "searchagg sources add \(name) \(without[0])\(variables)\(option)")
    }
    for variable in tokenVariables where !stored.hold([variable]) {
      context.report("to store its credential: searchagg auth set \(variable)")
    }
    list.warnOfVariable(in: context)
    return .success
  }

  private func checkVariables(of source: any Source) throws {
    guard !tokenVariables.isEmpty else { return }
    let names = source.traits.credentialNames
    guard names.count == tokenVariables.count else {
      throw CommandFailure(
        .usage,
        names.isEmpty
          ? "--token-variable: \(source.name) takes no credential"
          : "--token-variable: \(source.name) takes \(names.count), in place of "
            + names.joined(separator: " and "))
    }
    for name in tokenVariables where !Self.isVariable(name) {
      throw CommandFailure(
        .usage, "--token-variable: expected a name such as SOCIAL_TOKEN, found '\(name)'")
    }
  }

  private static func isVariable(_ name: String) -> Bool {
    guard let first = name.utf8.first, !first.isASCIIDigit else { return false }
    return name.utf8.allSatisfy { byte in
      byte.isASCIILetterOrDigit
        || byte == UInt8(ascii: "_")
    }
  }

  /// The addresses with those of web pages replaced by the first feed that each names.
  private func feeds(
    of addresses: [String], knowing known: [String], in context: Context
  ) async throws -> [String] {
    let new = addresses.filter { !known.contains($0) }
    guard !new.isEmpty else { return addresses }
    let (_, settings) = try options.world(in: context)
    let findings = await FeedFinder(settings: settings, in: context.surroundings).findings(at: new)
    var feeds: [String: String] = [:]
    for finding in findings {
      if let reason = finding.failure {
        context.report("\(AddressText.censored(finding.address)): added, but \(reason)")
      } else if let feed = finding.feeds.first {
        feeds[finding.address] = feed
        let rest = finding.feeds.dropFirst().joined(separator: ", ")
        context.report(
          "\(finding.address) is a web page; its feed is \(feed)"
            + (rest.isEmpty ? "" : " (others: \(rest))"))
      }
    }
    return addresses.map { feeds[$0] ?? $0 }
  }
}

/// `searchagg sources remove SOURCE URL…`.
struct SourcesRemove: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove servers of a network, or feeds.")

  @Argument(help: ArgumentHelp("The network, such as feed or mastodon.", valueName: "source"))
  var source: String

  @Argument(
    help: ArgumentHelp("The address of a server, or the complete one of a feed.", valueName: "url"))
  var addresses: [String]

  @OptionGroup var options: SettingOptions<ConfigOption>

  func run(in context: Context) async throws -> CommandStatus {
    let file = options.texts["config"]
    let source = try ServerList.source(named: source, file: file, in: context)
    let list = try ServerList(of: source, named: file, in: context)
    let unwanted = Set(addresses.map { ServerList.stored($0, of: source) })
    let missing = try list.missing(of: unwanted)
    guard missing.isEmpty else {
      let names = missing.map(AddressText.censored).joined(separator: ", ")
      throw CommandFailure(.nothing, "\(names): not in \(list.path); nothing changed")
    }
    let removed = try list.remove(unwanted)
    let noun = source.name == "feed" ? "feed" : "server"
    context.report("removed \(Plural.count(removed, noun)) from \(list.path)")
    list.warnOfVariable(in: context)
    return .success
  }
}

/// `searchagg sources export feed`.
struct SourcesExport: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Write the stored feeds as OPML, for other feed readers.")

  @Argument(help: "The source: feed.")
  var source: FeedSource

  @OptionGroup var options: SettingOptions<ConfigOption>

  func run(in context: Context) async throws -> CommandStatus {
    let file = options.texts["config"]
    let list = try ServerList(
      of: ServerList.source(named: source.rawValue, file: file, in: context), named: file,
      in: context)
    try context.write(OPML.document(of: list.subscriptions()))
    return .success
  }
}

/// The one source that has subscriptions.
enum FeedSource: String, CaseIterable, ExpressibleByArgument { case feed }
