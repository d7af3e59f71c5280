internal import Application
internal import ArgumentParser
internal import SafeFiles
internal import SearchModel
internal import TextFormats

/// `searchagg sources add feed URL…`.
struct SourcesAdd: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Subscribe to feeds, by their addresses or from an OPML file.",
    discussion: """
      The feeds are stored in your configuration file. For the address of a web page, the first feed that
      it names is stored instead.

      EXAMPLES:
          searchagg sources add feed https://www.swift.org/atom.xml
          searchagg sources add feed --opml subscriptions.opml
      """)

  @Argument(help: "The source: feed.")
  var source: FeedSource

  @Argument(help: ArgumentHelp("The complete address of a feed.", valueName: "url"))
  var addresses: [String] = []

  @Option(
    help: ArgumentHelp(
      "Add the feeds of this OPML file; - reads standard input.", valueName: "file"))
  var opml: String?

  @OptionGroup var options: SettingOptions<RequestOptions>

  func run(in context: Context) async throws -> CommandStatus {
    let listed = try opml.map { try OPML.addresses(in: $0, context) } ?? []
    let named = try Self.checked(addresses)
    let others = try Self.checked(listed)
    guard !named.isEmpty || !others.isEmpty else {
      throw CommandFailure(.usage, "no feed was given: name addresses, or a file with --opml")
    }
    let file = try FeedList.own(in: context)
    let known = try file.addresses()
    let wanted = try await feeds(of: named, knowing: known, in: context) + others
    let added = try file.change { list in
      let new = wanted.filter { !list.contains($0) }
      list += new.enumerated().filter { new.firstIndex(of: $1) == $0 }.map(\.element)
    }
    guard added != 0 else {
      throw CommandFailure(.nothing, "already in \(file.path); nothing changed")
    }
    context.report("added \(added == 1 ? "1 feed" : "\(added) feeds") to \(file.path)")
    FeedList.warnOfVariable(in: context)
    return .success
  }

  private static func checked(_ addresses: [String]) throws(CommandFailure) -> [String] {
    try addresses.map { text throws(CommandFailure) in
      let address = String(text.trimmed)
      _ = try AddressSetting.server(address, isWhole: true, from: .option("url"))
      return address
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
        context.report("\(finding.address): added without a look at it: \(reason)")
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

/// `searchagg sources remove feed URL…`.
struct SourcesRemove: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Unsubscribe from feeds.")

  @Argument(help: "The source: feed.")
  var source: FeedSource

  @Argument(help: ArgumentHelp("The complete address of a feed.", valueName: "url"))
  var addresses: [String]

  func run(in context: Context) async throws -> CommandStatus {
    let file = try FeedList.own(in: context)
    let unwanted = Set(addresses)
    let missing = try unwanted.subtracting(file.addresses()).sorted()
    guard missing.isEmpty else {
      throw CommandFailure(
        .nothing, "\(missing.joined(separator: ", ")): not in \(file.path); nothing changed")
    }
    let removed = -(try file.change { list in list.removeAll(where: unwanted.contains) })
    context.report("removed \(removed == 1 ? "1 feed" : "\(removed) feeds") from \(file.path)")
    FeedList.warnOfVariable(in: context)
    return .success
  }
}

/// `searchagg sources export feed`.
struct SourcesExport: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Write the stored feeds as OPML, for other feed readers.")

  @Argument(help: "The source: feed.")
  var source: FeedSource

  func run(in context: Context) async throws -> CommandStatus {
    try context.output.write(Array(OPML.document(of: FeedList.own(in: context).addresses()).utf8))
    return .success
  }
}

/// The one source whose servers are subscribed to.
enum FeedSource: String, CaseIterable, ExpressibleByArgument { case feed }

/// The feeds in the user's configuration file.
private struct FeedList {
  private static let largest = 1 << 20

  let path: String

  static func own(in context: Context) throws(CommandFailure) -> FeedList {
    guard let folder = ConfigurationFolder.path(in: context) else {
      throw CommandFailure(
        .badConfiguration, "cannot tell where the configuration file is: set HOME")
    }
    return FeedList(path: "\(folder)/config.json")
  }

  static func warnOfVariable(in context: Context) {
    if context.variable("SEARCHAGG_FEED_URL") != nil {
      context.report("SEARCHAGG_FEED_URL is set and takes precedence over the stored feeds")
    }
  }

  /// The addresses in their order; empty if the file does not exist.
  func addresses() throws(CommandFailure) -> [String] {
    try servers(in: try document()).compactMap(Self.address)
  }

  /// Changes the addresses; returns by how many the list has grown.
  func change(_ change: (inout [String]) -> Void) throws(CommandFailure) -> Int {
    let result: Result<Int, CommandFailure>
    do throws(FileWriteError) {
      try Directories.create(above: path, mode: 0o700)
      result = try FileLock.hold(path) { () throws(CommandFailure) in
        let document = try document()
        let servers = try servers(in: document)
        let old = servers.compactMap(Self.address)
        var new = old
        change(&new)
        // Entries with credentials of their own are kept as they are.
        let kept = servers.filter { entry in Self.address(entry).map(new.contains) ?? true }
        let added = new.filter { !old.contains($0) }.map(JSONValue.string)
        let feed = Self.setting(
          "servers", of: document["sources"]?["feed"], to: .array(kept + added))
        let sources = Self.setting("feed", of: document["sources"], to: feed)
        try write(Self.setting("sources", of: document, to: sources))
        return new.count - old.count
      }
    } catch {
      throw CommandFailure(.cannotWrite, "\(path): \(error.reason)")
    }
    return try result.get()
  }

  private func document() throws(CommandFailure) -> JSONValue {
    let bytes: [UInt8]
    do {
      bytes = try BoundedRead.bytes(of: path, limit: Self.largest)
    } catch .missing {
      return .object([])
    } catch {
      throw CommandFailure(.badConfiguration, "\(error)")
    }
    do throws(DocumentError) { return try JSONValue(reading: bytes) } catch {
      throw CommandFailure(.badConfiguration, "\(path): \(error)")
    }
  }

  private func servers(in document: JSONValue) throws(CommandFailure) -> [JSONValue] {
    guard case .object = document else {
      throw CommandFailure(.badConfiguration, "\(path): expected an object of settings")
    }
    switch document["sources"]?["feed"]?["servers"] {
    case nil: return []
    case .array(let entries): return entries
    case .some:
      throw CommandFailure(.badConfiguration, "\(path): sources.feed.servers: expected a list")
    }
  }

  private func write(_ document: JSONValue) throws(CommandFailure) {
    do throws(FileWriteError) {
      var file = try FileReplacement(of: path)
      try file.write(document.fileBytes)
      try file.commit()
    } catch {
      throw CommandFailure(.cannotWrite, "\(path): \(error.reason)")
    }
  }

  private static func address(_ entry: JSONValue) -> String? {
    switch entry {
    case .string(let address): address
    case _: if case .string(let address) = entry["url"] { address } else { nil }
    }
  }

  /// An object with one member replaced or appended.
  private static func setting(
    _ key: String, of object: JSONValue?, to value: JSONValue
  ) -> JSONValue {
    guard case .object(var members) = object else { return .object([JSONMember(key, value)]) }
    if let index = members.firstIndex(where: { $0.key == key }) {
      members[index].value = value
    } else {
      members.append(JSONMember(key, value))
    }
    return .object(members)
  }
}

/// Outline Processor Markup Language 2.0 (opml.org), the format in which feed readers exchange their
/// subscriptions.
private enum OPML {
  static func addresses(in path: String, _ context: Context) throws(CommandFailure) -> [String] {
    let bytes: [UInt8]
    if path == "-" {
      bytes = try QueryWords.input(in: context)
    } else {
      do throws(FileReadError) {
        bytes = try BoundedRead.bytes(
          of: context.absolutePath(path), limit: QueryWords.inputLimit, allowsStreams: true)
      } catch {
        throw CommandFailure(.unreadableInput, "\(path): \(error.reason)")
      }
    }
    let document = XMLDocument(bytes) { (key: $0.local, role: .any) }
    guard document.roots.contains(where: { $0.key == "opml" }), !document.isCut else {
      throw CommandFailure(.malformedInput, "\(path): not an OPML file")
    }
    return document.elements.filter { $0.key == "outline" }.compactMap { $0["xmlUrl"] }
  }

  static func document(of addresses: [String]) -> String {
    let outlines = addresses.map { address in
      let escaped = address.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
        .replacing("\"", with: "&quot;")
      return "    <outline type=\"rss\" text=\"\(escaped)\" xmlUrl=\"\(escaped)\"/>\n"
    }
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <opml version="2.0">
        <head><title>searchagg</title></head>
        <body>
      \(outlines.joined())  </body>
      </opml>

      """
  }
}
