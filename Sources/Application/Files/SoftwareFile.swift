internal import FoundationEssentials
internal import SearchEngine
internal import SearchModel
internal import SearchSources
internal import TextFormats

/// The software of servers, remembered for a week.
struct SoftwareFile: SoftwareStore {
  /// A week, in seconds: servers are updated, or switch to other software.
  private static let longestAge = 604_800.0

  private let file: DatedEntriesFile<ServerSoftware>

  /// The file in the user's cache folder; nil without such a folder.
  static func own(in surroundings: Surroundings) -> SoftwareFile? {
    guard let folder = surroundings.cacheFolder else { return nil }
    return SoftwareFile(path: "\(folder)/servers.json", now: surroundings.now)
  }

  init(path: String, now: @escaping @Sendable () -> Date) {
    let format = DatedEntriesFile<ServerSoftware>.Format(
      read: { value, _ in
        guard let name = value.text("name"), let found = value.date("found") else { return nil }
        return (ServerSoftware(name: name, version: value.text("version")), found)
      },
      write: { software, found in
        .members([
          "name": .string(software.name), "version": software.version.map(JSONValue.string),
          "found": .string(RFC3339.format(found)),
        ])
      },
      isCurrent: { _, found, now in
        (0...Self.longestAge).contains(now.timeIntervalSince(found))
      })
    // A failure costs only a request in the next run.
    file = DatedEntriesFile(path: path, format: format, now: now) { _ in }
  }

  func software(of server: ServerAddress) async -> ServerSoftware? {
    await file.entry(server.text)
  }

  func keep(_ software: ServerSoftware, of server: ServerAddress) async {
    await file.store(software, for: server.text)
  }
}
