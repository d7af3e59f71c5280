import Foundation
import NetworkSimulator
import TestSupport
import Testing

/// Whole processes on a state that machines share.
@Suite(.enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed"))
struct SharedStateRunTests {
  private let folder: Folder
  private let other: Folder
  private let address: String

  init() throws {
    (folder, other) = (try Folder(), try Folder())
    address = try PostgresServer.shared().database()
  }

  private func run(
    _ arguments: String..., in folder: Folder, _ networks: Networks? = nil,
    _ more: [String: String] = [:]
  ) async throws -> Program.Ended {
    let environment = (networks?.environment ?? [:])
      .merging(["SEARCHAGG_STATE": address, "SEARCHAGG_NO_HISTORY": "false"]) { $1 }
      .merging(more) { $1 }
    return try await Program.searchagg.run(arguments, environment: environment, in: folder)
  }

  @Test func `What one machine prints is not new to another, and both search it`() async throws {
    try await Networks.with { networks in
      let none = try await run("run", "#swift", "--new", in: folder, networks)
      #expect(none.status == 78)
      #expect(none.errors.contains("no state is in this database yet; run: searchagg state init"))
      let made = try await run("state", "init", in: folder)
      #expect(made.status == 0)
      #expect(made.errors == "searchagg: \(address): created the tables of a shared state\n")
      let again = try await run("state", "init", in: other)
      #expect(again.errors == "searchagg: \(address): the tables are up to date\n")

      let first = try await run(
        "run", "#swift", "libcurl", "--new", "--format", "ndjson", in: folder, networks)
      #expect(first.status == 0, "\(first.errors)")
      #expect(try first.objects.count > 30)
      let second = try await run(
        "run", "#swift", "libcurl", "--new", "--format", "ndjson", in: other, networks)
      #expect(second.status == 0, "\(second.errors)")
      let printed = Set(try first.objects.compactMap { $0["uri"] as? String })
      #expect(Set(try second.objects.compactMap { $0["uri"] as? String }).isDisjoint(with: printed))

      // The first one leaves the right to print at once.
      for _ in 0..<2 {
        let streamed = try await run(
          "run", "#swift", "libcurl", "--new", "--stream", "--max-time", "20s", in: other, networks)
        #expect(streamed.status == 0, "\(streamed.errors)")
      }

      let found = try await run("history", "export", "--format", "ndjson", in: other)
      #expect(found.status == 0, "\(found.errors)")
      #expect(Set(try found.objects.compactMap { $0["uri"] as? String }).isSuperset(of: printed))
      let stats = try await run("history", "stats", in: other)
      #expect(stats.status == 0 && stats.output.contains("mastodon"))
      let forgotten = try await run("state", "forget", "libcurl", in: other)
      #expect(forgotten.status == 0, "\(forgotten.errors)")
      // Nothing was kept beside it.
      #expect(!FileManager.default.fileExists(atPath: folder["state/searchagg/history.db"]))
    }
  }

  @Test func `Machines that run at the same time print each post once`() async throws {
    try await Networks.with { networks in
      _ = try await run("state", "init", in: folder)
      let ended = try await withThrowingTaskGroup(of: Program.Ended.self) { group in
        for folder in [folder, other, folder, other] {
          group.addTask {
            try await run("run", "#swift", "--new", "--format", "ndjson", in: folder, networks)
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      let printed = try ended.flatMap { try $0.objects.compactMap { $0["uri"] as? String } }
      #expect(ended.allSatisfy { $0.status == 0 }, "\(ended.map(\.errors))")
      #expect(printed.count > 20 && Set(printed).count == printed.count)
    }
  }

  @Test func `A state that can only be read ends a run for new posts before it asks`() async throws
  {
    try await Networks.with { networks in
      _ = try await run("state", "init", in: folder)
      _ = try PostgresServer.shared().query(
        """
        DO $$ BEGIN EXECUTE format(
          'ALTER DATABASE %I SET default_transaction_read_only = on', current_database()); END $$
        """, in: address)
      for more in [[], ["--stream"]] {
        let ended = try await Program.searchagg.run(
          ["run", "#swift", "--new", "--state", address] + more,
          environment: networks.environment, in: folder)
        #expect(ended.status == 78 && ended.output == "", "\(ended.errors)")
        #expect(ended.errors.contains("no network was asked for new posts: \(address)"))
      }
      #expect(networks.simulator.counters.requests.isEmpty)
    }
  }

  @Test func `Where the state cannot say which posts are new, none is printed or passed on`()
    async throws
  {
    try await Networks.with { networks in
      _ = try await run("state", "init", in: folder)
      _ = try await run("run", "#swift", "--new", in: folder, networks)
      _ = try PostgresServer.shared().query(
        "ALTER TABLE searchagg.identity RENAME TO moved", in: address)
      let failed = try await run(
        "run", "#swift", "--new", "--exec", "touch ran", "--format", "ndjson", in: folder, networks)
      #expect(failed.status != 0 && failed.output == "", "\(failed.errors)")
      #expect(
        failed.errors.contains("nothing was printed: cannot tell which posts are new")
      )
      #expect(!FileManager.default.fileExists(atPath: folder["ran"]))
    }
  }

  @Test func `A signal does not wait for a server that stands still`() async throws {
    let server = try PostgresServer()
    defer { try? server.stop() }
    let address = try server.database()
    try await Networks.with { networks in
      let slow = networks.simulator.address(of: "hackernews", fault: "~latency=6000")
      let environment = networks.environment.merging(
        [
          "SEARCHAGG_STATE": address, "SEARCHAGG_NO_HISTORY": "false",
          "SEARCHAGG_HACKERNEWS_URL": slow,
        ]) { $1 }
      _ = try await Program.searchagg.run(["state", "init"], environment: environment, in: folder)
      let started = try Program.searchagg.start(
        ["run", "#swift", "--new", "--source", "hackernews"], environment: environment, in: folder)
      // It has connected, and asks the state when the answer comes.
      try await Task.sleep(for: .seconds(3))
      try server.freeze()
      try await Task.sleep(for: .seconds(5))
      let begin = ContinuousClock.now
      started.send(SIGTERM)
      let ended = try await started.ended()
      try server.thaw()
      #expect(ended.signal == SIGTERM && ended.output == "", "\(ended.errors)")
      #expect(ended.errors.contains("interrupted"), "\(ended.errors)")
      // Ten seconds are what a new connection would be given.
      #expect(ContinuousClock.now - begin < .seconds(8))
    }
  }

  @Test func `New posts are passed on once, and those of a failing command are rows`() async throws
  {
    try await Networks.with { networks in
      _ = try await run("state", "init", in: folder)
      let failed = try await run(
        "run", "#swift", "--new", "--notify-first", "--exec", "exit 3", in: folder, networks)
      #expect(failed.status == 2, "\(failed.errors)")
      let list = try await run("undelivered", "list", in: other)
      #expect(list.output.contains("--exec 'exit 3'"))
      let sent = try await run(
        "undelivered", "send", "1", "--exec", "cat > got", in: other)
      #expect(sent.status == 0, "\(sent.errors)")
      #expect(try other.text(of: "got").split(separator: "\n").count > 10)
      let empty = try await run("undelivered", "list", in: folder)
      #expect(empty.errors == "searchagg: everything has been delivered\n")
      // What was given up.
      _ = try PostgresServer.shared().query(
        "INSERT INTO searchagg.undelivered VALUES ('2026-exec.ndjson', E'{\"id\":\"1\"}\\n')",
        in: address)
      let given = try await run("undelivered", "list", in: folder)
      #expect(given.output.contains("2026-exec.ndjson"))
      let dropped = try await run("undelivered", "drop", "2026-exec.ndjson", in: folder)
      #expect(dropped.errors == "searchagg: dropped 2026-exec.ndjson: 1 post\n")
    }
  }

  @Test func `A failed run is retried on another machine`() async throws {
    try await Networks.with { networks in
      _ = try await run("state", "init", in: folder)
      let faulty = networks.environment(faults: ["mastodon": "500"])
      let failed = try await run(
        "run", "#swift", "--source", "mastodon,hackernews", "--retries", "0", in: folder, networks,
        faulty.filter { $0.key == Networks.variable(of: "mastodon") })
      #expect(failed.status == 2, "\(failed.errors)")
      let retried = try await run(
        "run", "#swift", "--source", "mastodon,hackernews", "--retries", "0", "--retry-failed",
        "--format", "ndjson", in: other, networks)
      #expect(retried.status == 0, "\(retried.errors)")
      #expect(retried.errors.contains("retrying 1 of 2 searches"))
      let sources = Set(try retried.objects.compactMap { $0["source"] as? String })
      #expect(sources == ["mastodon", "hackernews"])
    }
  }

  @Test
  func
    `Without its state a run with --new or --backfill asks nobody, and a plain run keeps nothing`()
    async throws
  {
    try await Networks.with { networks in
      let gone = ["SEARCHAGG_STATE": "postgresql://amy@127.0.0.1:1/none"]
      let new = try await run("run", "#swift", "--new", in: folder, networks, gone)
      #expect(new.status == 75)
      #expect(new.output == "")
      #expect(new.errors.contains("postgresql://amy@127.0.0.1:1/none: "))
      #expect(new.errors.contains("no network was asked"))
      let backfill = try await run(
        "run", "#swift", "--backfill", "--since", "30d", in: folder, networks, gone)
      #expect(backfill.status == 75 && backfill.output == "")
      #expect(backfill.errors.contains("no network was asked: postgresql://amy@127.0.0.1:1/none: "))
      let plain = try await run("run", "#swift", "--format", "ndjson", in: folder, networks, gone)
      #expect(plain.status == 0)
      #expect(try plain.objects.count > 20)
      #expect(plain.errors.hasPrefix("searchagg: postgresql://amy@127.0.0.1:1/none: "))
      #expect(plain.errors.contains("; nothing was kept"))
      let history = try await run("history", "list", in: folder, nil, gone)
      #expect(history.status == 75)
    }
  }

  @Test func `A database that is not there is a mistake in the configuration`() async throws {
    let gone = address.replacing(/@\/\w+/, with: "@/nosuch")
    let ended = try await run(
      "run", "#swift", "--new", "--source", "lobsters", in: folder, nil, ["SEARCHAGG_STATE": gone])
    #expect(ended.status == 78 && ended.errors.contains("does not exist"), "\(ended.errors)")
  }

  @Test func `A watch outlives a cut connection and shares its marks`() async throws {
    try await Networks.with { networks in
      _ = try await run("state", "init", in: folder)
      let environment = networks.environment.merging(
        ["SEARCHAGG_STATE": address, "SEARCHAGG_NO_HISTORY": "false"]) { $1 }
      let watch = try Program.searchagg.start(
        ["watch", "#swift", "--every", "500ms", "--exactly", "--for", "8s", "--format", "ndjson"],
        environment: environment, in: folder)
      for _ in 0..<3 {
        try await Task.sleep(for: .seconds(1.5))
        _ = try PostgresServer.shared().query(
          """
          SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND pid <> pg_backend_pid()
          """, in: address)
      }
      let ended = try await watch.ended()
      #expect(ended.status == 0, "\(ended.errors)")
      let printed = try ended.objects.compactMap { $0["uri"] as? String }
      #expect(printed.count > 10 && Set(printed).count == printed.count)
    }
  }

  @Test func `A password on the command line is refused, and one elsewhere is never shown`()
    async throws
  {
    let secret = "postgresql://amy:hunter2@127.0.0.1:1/none"
    let refused = try await run("history", "list", "--state", secret, in: folder)
    #expect(refused.status == 64)
    #expect(
      refused.errors == """
        searchagg: --state: others can see a password on the command line; keep it in ~/.pgpass, or the \
        whole address in the configuration file

        """)
    for arguments in [
      ["config", "show"], ["history", "list"], ["tags", "list"], ["state", "init"],
    ] {
      let ended = try await Program.searchagg.run(
        arguments, environment: ["SEARCHAGG_STATE": secret], in: folder)
      #expect(!(ended.output + ended.errors).contains("hunter2"), "\(arguments)")
      if arguments[0] != "tags" {
        #expect((ended.output + ended.errors).contains("postgresql://amy@127.0.0.1:1/none"))
      }
    }
  }

  @Test func `A team keeps its tags in the database, and changes at the same time lose none`()
    async throws
  {
    _ = try await run("state", "init", in: folder)
    try folder.write(
      ##"{"version": 1, "tags": [{"query": "#swift", "limit": 7}, "東京 -\"a\\b\""]}"##,
      to: "mine.json")
    let imported = try await run(
      "tags", "import", "mine.json", "--tags-file", address, in: folder)
    #expect(imported.errors == "searchagg: added 2 tags to \(address), 0 already there\n")
    try await withThrowingTaskGroup { group in
      for number in 0..<6 {
        group.addTask {
          let ended = try await run(
            "tags", "add", "tag\(number)", "--tags-file", address, in: other)
          #expect(ended.status == 0, "\(ended.errors)")
        }
      }
      try await group.waitForAll()
    }
    let removed = try await run("tags", "remove", "tag3", "--tags-file", address, in: other)
    #expect(removed.status == 0, "\(removed.errors)")
    let twice = try await run("tags", "add", "#swift", "--tags-file", address, in: other)
    #expect(twice.status == 1 && twice.errors.contains("#swift is already in \(address)"))
    let exported = try await run("tags", "export", "--tags-file", address, in: other)
    for text in ["#swift", "\"limit\": 7", "東京", "tag0", "tag5"] {
      #expect(exported.output.contains(text), "\(text)")
    }
    #expect(!exported.output.contains("tag3"))
    try await Networks.with { networks in
      let ended = try await run(
        "run", "--source", "hackernews", "--format", "ndjson", in: other, networks,
        ["SEARCHAGG_TAGS_FILE": address])
      #expect(ended.status == 0, "\(ended.errors)")
      #expect(try ended.objects.contains { ($0["tags"] as? [String]) == ["#swift"] })
    }
    let secret = try await run(
      "tags", "list", "--tags-file", "postgresql://amy:hunter2@db/x", in: other)
    #expect(secret.status == 64 && !secret.errors.contains("hunter2"))
  }

  @Test func `The SQL is printed without a server, and makes the tables`() async throws {
    let printed = try await run("state", "init", "--print-sql", in: folder)
    #expect(printed.status == 0)
    _ = try PostgresServer.shared().query(printed.output, in: address)
    let made = try await run("state", "init", in: folder)
    #expect(made.errors == "searchagg: \(address): the tables are up to date\n")
  }
}

/// The embedded state, where nothing of PostgreSQL is loaded.
@Suite struct EmbeddedStateTests {
  @Test func `Without a shared state PostgreSQL's library is neither linked nor opened`()
    async throws
  {
    let folder = try Folder()
    // The loader writes each library that it looks for to the standard error.
    func libraries(_ state: String?) async throws -> String {
      var environment = ["LD_DEBUG": "libs", "SEARCHAGG_NO_HISTORY": "false"]
      environment["SEARCHAGG_STATE"] = state
      return try await Program.searchagg.run(
        ["state", "forget"], environment: environment, in: folder
      ).errors
    }
    try folder.write("", to: "state/searchagg/history.db")
    let embedded = try await libraries(nil)
    #expect(embedded.contains("libsqlite3"))
    #expect(!embedded.contains("libpq"))
    #expect(try await libraries("postgresql://127.0.0.1:1/none").contains("libpq.so.5"))
    let linked = try await Program(path: "/usr/bin/env").run(
      ["ldd", Program.searchagg.path], in: folder)
    #expect(linked.status == 0 && !linked.output.contains("libpq"))
  }

  @Test func `Without PostgreSQL's library a command that needs it says what to install`()
    async throws
  {
    let folder = try Folder()
    // The loader finds this one first, and looks no further.
    try folder.write("no library", to: "lib/libpq.so.5")
    let environment = [
      "LD_LIBRARY_PATH": folder["lib"], "SEARCHAGG_NO_HISTORY": "false",
      "SEARCHAGG_STATE": "postgresql://127.0.0.1:1/none",
    ]
    let line =
      "postgresql://127.0.0.1:1/none: a shared state needs PostgreSQL's client library, "
      + "libpq.so.5; install the package libpq5 (Debian, Ubuntu), libpq (Fedora, Alpine) or "
      + "postgresql-libs (Arch)\n"
    for (arguments, beginning) in [
      (["state", "init"], ""),
      (["run", "#swift", "--new", "--source", "lobsters"], "no network was asked for new posts: "),
    ] {
      let ended = try await Program.searchagg.run(
        arguments, environment: environment, in: folder)
      #expect(ended.status == 69)
      #expect(ended.errors == "searchagg: \(beginning)\(line)")
    }
  }

  @Test func `A file has no tables to make`() async throws {
    let ended = try await Program.searchagg.run(["state", "init"], in: Folder())
    #expect(ended.status == 64)
    #expect(ended.errors.contains("name one with --state postgresql://"))
  }
}
