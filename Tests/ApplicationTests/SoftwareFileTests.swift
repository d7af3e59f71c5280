import FoundationEssentials
import SearchModel
import SearchSources
import Synchronization
import TestSupport
import Testing

@testable import Application

@Suite struct SoftwareFileTests {
  /// A clock that a test sets.
  private final class Clock: Sendable {
    private let seconds = Mutex(1_795_251_600.0)

    var now: Date { seconds.withLock { Date(timeIntervalSince1970: $0) } }

    func advance(by interval: Double) { seconds.withLock { $0 += interval } }
  }

  private let folder: Folder
  private let clock = Clock()
  private let lemmy = ServerSoftware(name: "lemmy", version: "1.0.0-beta.1")

  init() throws { folder = try Folder() }

  /// Reads the file anew, as the next run does.
  private var file: SoftwareFile {
    SoftwareFile(path: folder["cache/searchagg/servers.json"], now: { [clock] in clock.now })
  }

  private func server(_ text: String = "https://l.example") throws -> ServerAddress {
    try #require(ServerAddress(text))
  }

  @Test func `A program is known for a week`() async throws {
    await file.keep(lemmy, of: try server())
    await file.keep(ServerSoftware(name: "gotosocial"), of: try server("http://127.0.0.1:8080"))
    #expect(await file.software(of: try server()) == lemmy)
    #expect(
      await file.software(of: try server("http://127.0.0.1:8080"))
        == ServerSoftware(name: "gotosocial"))
    #expect(await file.software(of: try server("https://other.example")) == nil)
    clock.advance(by: 604_000)
    #expect(await file.software(of: try server()) == lemmy)
    clock.advance(by: 1000)
    #expect(await file.software(of: try server()) == nil)
    // A date ahead of the clock cannot be trusted.
    clock.advance(by: -700_000)
    #expect(await file.software(of: try server()) == nil)
  }

  @Test(arguments: [
    "", "[]", "{\"https://l.example\":{\"name\":7}}", "{\"https://l.example\":{\"name\":\"x\"}}",
  ])
  func `A damaged file counts as empty, and is written anew`(text: String) async throws {
    try folder.write(text, to: "servers.json")
    let file = SoftwareFile(path: folder["servers.json"], now: { [clock] in clock.now })
    #expect(await file.software(of: try server()) == nil)
    await file.keep(lemmy, of: try server())
    #expect(await file.software(of: try server()) == lemmy)
  }

  @Test func `Runs that store entries side by side lose none`() async throws {
    let (one, other) = (file, file)
    for file in [one, other] { #expect(await file.software(of: try server()) == nil) }
    await one.keep(lemmy, of: try server())
    await other.keep(lemmy, of: try server("https://m.example"))
    for name in ["https://l.example", "https://m.example"] {
      #expect(await file.software(of: try server(name)) == lemmy)
    }
  }

  @Test func `A file that cannot be written costs no more than a request`() async throws {
    try folder.write("x", to: "cache")
    let file = file
    await file.keep(lemmy, of: try server())
    await file.keep(lemmy, of: try server("https://m.example"))
    for name in ["https://l.example", "https://m.example"] {
      #expect(await file.software(of: try server(name)) == lemmy)
    }
    #expect(await self.file.software(of: try server()) == nil)
  }
}
