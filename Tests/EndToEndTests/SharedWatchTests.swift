import Foundation
import NetworkSimulator
import TestSupport
import Testing

/// Watches of several processes on one shared state.
@Suite(.serialized, .enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed"))
struct SharedWatchTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  /// A server's address with the tables.
  private func prepared(_ server: PostgresServer) async throws -> String {
    let address = try server.database()
    let made = try await Program.searchagg.run(
      ["state", "init", "--state", address], in: folder)
    try #require(made.status == 0, "\(made.errors)")
    return address
  }

  private func start(
    _ number: Int, _ networks: Networks, _ address: String, _ more: [String] = []
  ) throws -> RunningProgram {
    try Program.searchagg.start(
      [
        "watch", "#swift", "libcurl", "--every", "200ms", "--format", "ndjson", "--max-cost",
        "1000000", "--lease", "5s", "--state", address, "--notify-first",
      ] + more,
      environment: networks.withHistory,
      in: folder)
  }

  /// A watch that has printed its first posts.
  private func startedWatch(
    _ networks: Networks, _ address: String
  ) async throws -> RunningProgram {
    let worker = try start(0, networks, address)
    try await waitUntil("the first posts are there") { try worker.output.printedPosts.count > 50 }
    return worker
  }

  @Test func `Three watches share the searches, and print and pass on each post once`()
    async throws
  {
    let pace = Pace(hoursAgo: 40)
    let server = try PostgresServer.shared()
    let address = try await prepared(server)
    try await Networks.with(written: { pace.written }) { networks in
      let taken = folder["taken"]
      let receiver = ["--exec", "cat >> \(taken)"]
      var workers = try (0..<3).map { try start($0, networks, address, receiver) }
      defer { for worker in workers where worker.isRunning { worker.send(SIGKILL) } }
      func printed() throws -> [String] { try workers.flatMap { try $0.output.printedPosts } }
      try await waitUntil("the first posts are there") { try printed().count > 50 }
      for hours in [30.0, 20, 10, 0] {
        let before = try printed().count
        pace.advance(to: hours)
        try await waitUntil("new posts are printed") { try printed().count > before }
      }
      let shown = try await Program.searchagg.run(
        ["workers", "--state", address, "--format", "json"], in: folder)
      #expect(shown.status == 0, "\(shown.errors)")
      let object = try #require(
        JSONSerialization.jsonObject(with: Data(shown.output.utf8)) as? [String: Any])
      let list = try #require(object["workers"] as? [[String: Any]])
      #expect(list.count == 3 && list.allSatisfy { $0["answers"] as? Bool == true })
      let servers = try #require(object["servers"] as? [[String: Any]])
      #expect(servers.reduce(0) { $0 + ($1["searches"] as? Int ?? 0) } == 10)
      func passedOn() throws -> [String] { try folder.text(of: "taken").printedPosts }
      let early = try Set(printed())
      try await waitUntil("they are passed on") { try early.isSubset(of: passedOn()) }
      let delivered = try passedOn()
      #expect(delivered.count == Set(delivered).count)
      for worker in workers { worker.send(SIGTERM) }
      var errors = ""
      for worker in workers { errors += try await worker.ended().errors }
      // What they had no time to pass on is left to the next one, and what a command had begun to take is
      // passed on again.
      let last = try start(3, networks, address, receiver)
      workers.append(last)
      try await waitUntil("all are passed on") { try Set(passedOn()) == Set(printed()) }
      last.send(SIGTERM)
      errors += try await last.ended().errors
      let all = try printed()
      #expect(Set(all).count == all.count, "\(all.count - Set(all).count) twice; \(errors)")
      #expect(try Set(passedOn()).isSubset(of: all))
      let text = try await Program.searchagg.run(["workers", "--state", address], in: folder)
      #expect(text.output.contains("SERVER") && text.output.contains("mastodon"))
      #expect(text.errors == "searchagg: no worker is watching\n")
    }
  }

  @Test func `A watch goes on after its database was restored without it`() async throws {
    let pace = Pace(hoursAgo: 40)
    let server = try PostgresServer.shared()
    let address = try await prepared(server)
    try await Networks.with(written: { pace.written }) { networks in
      let worker = try await startedWatch(networks, address)
      defer { if worker.isRunning { worker.send(SIGKILL) } }
      // The watch may hold a lock on one of them.
      try await waitUntil("the tables are empty") {
        (try? server.query(
          "TRUNCATE searchagg.lane, searchagg.turn, searchagg.worker", in: address)) != nil
      }
      let before = try worker.output.printedPosts.count
      pace.advance(to: 0)
      try await waitUntil("new posts are printed") {
        try worker.output.printedPosts.count > before
      }
      worker.send(SIGTERM)
      _ = try await worker.ended()
    }
  }

  @Test func `A watch ends when its state takes nothing any more`() async throws {
    let server = try PostgresServer.shared()
    let address = try await prepared(server)
    _ = try server.query(
      """
      CREATE FUNCTION searchagg.refuse() RETURNS trigger LANGUAGE plpgsql
        AS $$ BEGIN RAISE EXCEPTION 'the disk is full'; END $$;
      CREATE TRIGGER refuse BEFORE INSERT ON searchagg.mark
        FOR EACH ROW EXECUTE FUNCTION searchagg.refuse()
      """, in: address)
    try await Networks.with { networks in
      let worker = try start(0, networks, address)
      defer { if worker.isRunning { worker.send(SIGKILL) } }
      let ended = try await worker.ended()
      #expect(ended.status == 74, "\(ended.errors)")
      #expect(
        ended.errors.contains("stopping the watch, because it would print the same posts again"),
        "\(ended.errors)")
      let all = try ended.output.printedPosts
      #expect(!all.isEmpty && Set(all).count == all.count)
    }
  }

  @Test func `A watch waits for its server, asks nobody meanwhile, and goes on after it`()
    async throws
  {
    let pace = Pace(hoursAgo: 40)
    let server = try PostgresServer()
    let address = try await prepared(server)
    try await Networks.with(written: { pace.written }) { networks in
      let worker = try await startedWatch(networks, address)
      defer { if worker.isRunning { worker.send(SIGKILL) } }
      // What was printed but not yet marked when the server goes would be printed again.
      var printed = 0
      while try worker.output.printedPosts.count > printed {
        printed = try worker.output.printedPosts.count
        try await Task.sleep(for: .seconds(3))
      }
      try server.pause()
      try await waitUntil("it says so") { try worker.errors.contains("searches are paused") }
      let asked = networks.simulator.counters.requests.count
      try await Task.sleep(for: .seconds(2))
      #expect(networks.simulator.counters.requests.count == asked)
      let before = try worker.output.printedPosts.count
      pace.advance(to: 0)
      try server.restart()
      try await waitUntil("it goes on") { try worker.errors.contains("is reachable again") }
      try await waitUntil("new posts are printed") {
        try worker.output.printedPosts.count > before
      }
      worker.send(SIGTERM)
      let errors = try await worker.ended().errors
      let all = try worker.output.printedPosts
      #expect(Set(all).count == all.count)
      // One line for the state, and none for each server that was being asked.
      let lines = errors.split(separator: "\n").filter { $0.contains("postgresql://") }
      #expect(lines.count == 1, "\(errors)")
    }
    try server.stop()
  }
}
