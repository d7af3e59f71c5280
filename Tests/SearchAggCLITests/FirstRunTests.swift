import Application
import Foundation
import NetworkSimulator
import SearchAggCLI
import Synchronization
import TestSupport
import Testing

/// The first run of a search under `--new`, and the second, with whole commands over loopback.
@Suite(.serialized) struct FirstRunTests {
  /// The hours since the end of the networks' posts.
  private final class Clock: Sendable {
    private let hours = Mutex(-40.0)

    var date: Date { Simulator.fixedNow.addingTimeInterval(hours.withLock { $0 } * 3600) }

    func advance(hours more: Double) { hours.withLock { $0 += more } }
  }

  private struct World {
    let simulator: Simulator
    let folder: Folder
    let clock: Clock

    /// Runs at the present moment; returns the lines of the posts, and standard error.
    func run(_ options: String...) async throws -> (posts: [Substring], errors: String) {
      let (output, errors) = (BufferStream(), BufferStream())
      var environment = simulator.environment
      environment["HOME"] = folder["home"]
      environment["PATH"] = "/usr/bin:/bin"
      environment["SEARCHAGG_TIMEOUT"] = "10m"
      let now = clock.date
      let context = Context(
        environment: environment, workingDirectory: folder.path, input: BufferStream(),
        output: output, errors: errors, now: { now })
      let status = await CommandLineRunner(context: context).run(
        ["run", "#swift", "--format", "plain"] + options)
      #expect(status == .success, "\(errors.text)")
      return (output.text.split(separator: "\n"), errors.text)
    }

    func advance(hours: Double) { clock.advance(hours: hours) }
  }

  private func with(_ body: (World) async throws -> Void) async throws {
    let clock = Clock()
    let simulator = try await Simulator.start(
      seed: 7, clock: { Simulator.fixedNow }, written: { clock.date })
    let world = World(simulator: simulator, folder: try Folder(), clock: clock)
    let result: Result<Void, any Error>
    do {
      result = .success(try await body(world))
    } catch {
      result = .failure(error)
    }
    await simulator.stop()
    try result.get()
  }

  @Test func `A first run that finds nothing does not make all of history new`() async throws {
    for source in ["hackernews", "mastodon", "lobsters"] {
      try await with { world in
        let first = try await world.run("--new", "--since", "1m", "--source", source)
        #expect(first.posts.isEmpty)
        #expect(try await world.run("--new", "--source", source).posts.isEmpty, "\(source)")
        world.advance(hours: 30)
        #expect(try await !world.run("--new", "--source", source).posts.isEmpty, "\(source)")
      }
    }
  }

  @Test(arguments: Simulator.sources)
  func `Right after a first run nothing is new`(source: String) async throws {
    try await with { world in
      let bounds = ["--max-cost", "100000"]
      let first = try await world.run("--new", "--source", source, bounds[0], bounds[1])
      #expect(!first.posts.isEmpty)
      let second = try await world.run("--new", "--source", source, bounds[0], bounds[1])
      #expect(second.posts.isEmpty, "\(second.posts)")
    }
  }

  @Test func `What the limit drops from a first run is not new later`() async throws {
    try await with { world in
      let sources = "hackernews,mastodon,lobsters,bluesky"
      let first = try await world.run("--new", "-n", "3", "--source", sources)
      #expect(first.posts.count == 3)
      let second = try await world.run("--new", "-n", "50", "--source", sources)
      #expect(second.posts.isEmpty, "\(second.posts)")
    }
  }

  @Test func `A first run is not passed on, and says so`() async throws {
    try await with { world in
      let got = world.folder["got"]
      let exec = ["--exec", "cat >> \(got)"]
      let first = try await world.run("--new", "--source", "hackernews", exec[0], exec[1])
      #expect(!first.posts.isEmpty)
      #expect(
        first.errors.contains(
          "first run of 1 search: \(first.posts.count) posts were not passed on (use --notify-first to pass them on)"
        ),
        "\(first.errors)")
      #expect(!FileManager.default.fileExists(atPath: got))
      world.advance(hours: 20)
      let later = try await world.run("--new", "--source", "hackernews", exec[0], exec[1])
      #expect(!later.errors.contains("not passed on"))
      #expect(try world.folder.text(of: "got").split(separator: "\n").count == later.posts.count)
    }
    try await with { world in
      let first = try await world.run(
        "--new", "--source", "hackernews", "--notify-first", "--exec",
        "cat > \(world.folder["got"])")
      #expect(!first.errors.contains("not passed on"))
      #expect(try world.folder.text(of: "got").split(separator: "\n").count == first.posts.count)
    }
  }

  @Test func `From now on, only what follows is printed`() async throws {
    try await with { world in
      let first = try await world.run("--new", "--from-now", "--source", "hackernews,mastodon")
      #expect(first.posts.isEmpty)
      #expect(first.errors.contains("2 searches watched from now on"), "\(first.errors)")
      let second = try await world.run("--new", "--from-now", "--source", "hackernews,mastodon")
      #expect(second.posts.isEmpty && !second.errors.contains("from now on"))
      world.advance(hours: 30)
      let later = try await world.run("--new", "--from-now", "--source", "hackernews,mastodon")
      #expect(!later.posts.isEmpty)
    }
  }

  @Test func `A filter does not make later runs expensive, and without it the rest is shown`()
    async throws
  {
    try await with { world in
      let filter = ["--min-likes", "100000"]
      _ = try await world.run("--new", "--source", "mastodon", filter[0], filter[1])
      for _ in 0..<2 {
        world.advance(hours: 2)
        let before = world.simulator.counters.total
        _ = try await world.run("--new", "--source", "mastodon", filter[0], filter[1])
        #expect(world.simulator.counters.total - before <= 2)
      }
      world.advance(hours: 20)
      let all = try await world.run("--new", "--source", "mastodon")
      let dates = all.posts.compactMap { $0.split(separator: " ").first }
      #expect(dates.count > 5, "\(all.posts)")
    }
  }

  @Test func `A small cap does not request pages of one post`() async throws {
    try await with { world in
      _ = try await world.run("--new", "--source", "hackernews")
      world.advance(hours: 35)
      var shown = 0
      let before = world.simulator.counters.total
      for _ in 0..<3 {
        shown += try await world.run("--new", "--source", "hackernews", "--per-search", "10")
          .posts.count
      }
      #expect(shown > 20)
      #expect(world.simulator.counters.total - before <= 6)
    }
  }
}
