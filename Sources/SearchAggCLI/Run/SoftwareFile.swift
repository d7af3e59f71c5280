internal import FoundationEssentials
internal import SafeFiles
internal import SearchEngine
internal import SearchModel
internal import SearchSources
internal import TextFormats

/// The programs that servers run, kept for a week in a file of the cache folder.
///
/// A file that is damaged counts as empty, and one that cannot be written costs a request in the next
/// run and no more, so neither is worth a word.
actor SoftwareFile: SoftwareStore {
  private struct Kept {
    var software: ServerSoftware
    var found: Date
  }

  private static let largest = 1 << 20
  /// A week, in seconds: a server may be updated, or run another program.
  private static let longestAge = 604_800.0

  private let file: PrivateFile
  private let now: @Sendable () -> Date
  private var entries: [String: Kept]?

  init(path: String, now: @escaping @Sendable () -> Date) {
    file = PrivateFile(path: path)
    self.now = now
  }

  /// The file in the user's cache folder; nil where there is no such folder.
  static func own(in context: Context) -> SoftwareFile? {
    ConfigurationFolder.cache(in: context).map { folder in
      SoftwareFile(path: "\(folder)/servers.json", now: context.now)
    }
  }

  func software(of server: ServerAddress) -> ServerSoftware? {
    load()[server.text].flatMap { isOld($0) ? nil : $0.software }
  }

  func keep(_ software: ServerSoftware, of server: ServerAddress) {
    var entries = load().filter { !isOld($0.value) }
    entries[server.text] = Kept(software: software, found: now())
    self.entries = entries
    let members = entries.sorted { $0.key < $1.key }.map { address, kept in
      JSONMember(
        address,
        .members([
          "name": .string(kept.software.name),
          "version": kept.software.version.map(JSONValue.string),
          "found": .string(RFC3339.format(kept.found)),
        ]))
    }
    do {
      try Directories.create(above: file.path, mode: 0o700)
      try file.write(JSONValue.object(members).bytes)
    } catch {
      return  // The next run asks again.
    }
  }

  private func isOld(_ kept: Kept) -> Bool {
    let age = now().timeIntervalSince(kept.found)
    return age < 0 || age > Self.longestAge
  }

  private func load() -> [String: Kept] {
    if let entries { return entries }
    var loaded: [String: Kept] = [:]
    if let bytes = try? file.read(limit: Self.largest), let value = try? JSONValue(reading: bytes),
      case .object(let members) = value
    {
      for member in members {
        guard case .string(let name) = member.value["name"],
          case .string(let text) = member.value["found"], let found = RFC3339.parse(text)
        else { continue }
        var version: String?
        if case .string(let text) = member.value["version"] { version = text }
        loaded[member.key] = Kept(
          software: ServerSoftware(name: name, version: version), found: found)
      }
    }
    entries = loaded
    return loaded
  }
}
