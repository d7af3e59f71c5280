internal import Application
internal import ArgumentParser
internal import FoundationEssentials
internal import SearchEngine
internal import SearchModel
internal import SearchSources

/// `searchagg sources show`.
struct SourcesShow: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show everything about a source, and the requests it would get.",
    discussion: """
      No request is sent. Secrets are shown as ***.

      EXAMPLES:
          searchagg sources show hackernews --query libcurl
      """)

  @Argument(help: ArgumentHelp("The source.", valueName: "name"))
  var name: String

  @Option(help: ArgumentHelp("The query of the requests.", valueName: "query"))
  var query = SourcesCheck.commonWord

  @OptionGroup var options: SettingOptions<ConfigOption>

  func run(in context: Context) async throws -> CommandStatus {
    let (directory, settings) = try options.world(naming: [name], in: context)
    let setup = try directory.setup(named: name)
    let query = try QueryWords.query(query)
    try context.write(setup.facts.joined(separator: "\n") + "\n\n")
    if let entry = Catalog.entry(named: name), !directory.isOwn(setup.source.name) {
      try context.write("# its declaration, to copy and change under \"sources\"\n")
      try context.output.write(entry.bytes + Array("\n".utf8))
    }
    guard !setup.servers.isEmpty else {
      throw CommandFailure(
        .unavailable,
        "\(name) has no address; set \(setup.addressVariable)")
    }
    var lines: [String] = []
    for server in setup.servers {
      let page = PageRequest(
        setup.source.split(query, with: server.credentials), server: server.address,
        wanted: settings.search.defaultCap,
        credentials: server.credentials, now: settings.now)
      let remarks = setup.isReady(server) ? [] : [server.missing].compactMap(\.self)
      lines += try requests(
        of: SearchPreview(page, of: setup.source), at: server.address, remarks: remarks)
    }
    try context.write(lines.joined(separator: "\n") + "\n")
    return .success
  }

  private func requests(
    of preview: SearchPreview, at server: ServerAddress, remarks: [String]
  ) throws -> [String] {
    var lines = remarks.map { "# \($0)" }
    let (first, second) = try naming("\(name): \(query)") {
      (try preview.first(), try preview.second())
    }
    if let login = preview.login { lines += ["# \(server): login", login.text, ""] }
    let cost = preview.cost.map { ", \($0)" } ?? ""
    lines += ["# \(server): first page\(cost)", first.text, ""]
    if let second {
      lines += ["# \(server): second page", second.text, ""]
    } else {
      lines += ["# \(server): later pages depend on the first response", ""]
    }
    return lines
  }
}
