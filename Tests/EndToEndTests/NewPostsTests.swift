import Foundation
import TestSupport
import Testing

/// `run --new`, with whole processes over networks that keep posting.
@Suite(.serialized) struct NewPostsTests {
  /// The identities in a complete output; nil where the last line is missing.
  private func posts(in ended: Program.Ended) throws -> [String]? {
    guard ended.output.hasSuffix("\n") || ended.output.isEmpty else { return nil }
    let objects = try ended.objects
    guard objects.last?["outcomes"] != nil else { return nil }
    return objects.dropLast().map { "\($0["source"] ?? "") \($0["uri"] ?? "")" }
  }

  private func arguments(_ more: String...) -> [String] {
    ["run", "#swift", "libcurl", "--new", "--format", "ndjson"] + more
  }

  /// The identities of all posts from the oldest of a first run on, read without any state.
  private func allPosts(
    since first: Program.Ended, _ networks: Networks
  ) async throws -> Set<String> {
    var oldest: [String: String] = [:]
    for post in try first.objects.dropLast() {
      guard let source = post["source"] as? String, let date = post["created_at"] as? String,
        let tag = (post["tags"] as? [String])?.first
      else { continue }
      oldest["\(source) \(tag)"] = min(oldest["\(source) \(tag)"] ?? date, date)
    }
    var all: Set<String> = []
    for (search, date) in oldest {
      let parts = search.split(separator: " ")
      let ended = try await Program.searchagg.run(
        [
          "run", String(parts[1]), "--source", String(parts[0]), "--since", date, "--no-state",
          "--format", "ndjson",
        ], environment: networks.environment, in: Folder())
      #expect(ended.status == 0, "\(ended.errors)")
      all.formUnion(try #require(try posts(in: ended)))
    }
    return all
  }

  @Test func `Each post is printed once, run after run`() async throws {
    let pace = Pace(hoursAgo: 40)
    try await Networks.with(written: { pace.written }) { networks in
      let folder = try Folder()
      let first = try await Program.searchagg.run(
        arguments(), environment: networks.environment, in: folder)
      #expect(first.status == 0, "\(first.errors)")
      var printed = try #require(try posts(in: first))
      #expect(printed.count > 50)
      // The first page of a network without an exact order may not hold its newest posts, so that the
      // run after the first one may still find some.
      for (hours, isQuiet) in [
        (40.0, nil), (40, true), (30, false), (20, false), (10, false), (0, false), (0, true),
      ] as [(Double, Bool?)] {
        pace.advance(to: hours)
        let ended = try await Program.searchagg.run(
          arguments(), environment: networks.environment, in: folder)
        #expect(ended.status == 0, "\(ended.errors)")
        let posts = try #require(try posts(in: ended))
        if let isQuiet { #expect(posts.isEmpty == isQuiet, "\(hours): \(posts)") }
        printed += posts
      }
      #expect(Set(printed).count == printed.count)
      let missing = try await allPosts(since: first, networks).subtracting(printed)
      #expect(missing.isEmpty, "\(missing)")
    }
  }

  @Test(arguments: [[], ["--stream"]])
  func `Runs at the same time print and pass on each post once`(options: [String]) async throws {
    try await Networks.with { networks in
      let folder = try Folder()
      let ended = try await withThrowingTaskGroup(of: Program.Ended.self) { group in
        for _ in 0..<4 {
          group.addTask {
            try await Program.searchagg.run(
              self.arguments("--notify-first", "--exec", "cat >> got") + options,
              environment: networks.environment, in: folder)
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      var printed: [String] = []
      for ended in ended {
        #expect(ended.status == 0, "\(ended.errors)")
        printed += try #require(try posts(in: ended))
      }
      #expect(printed.count > 50 && Set(printed).count == printed.count)
      let passedOn = try folder.text(of: "got").split(separator: "\n").count
      #expect(passedOn == printed.count)
    }
  }

  @Test(arguments: [[], ["--stream"]])
  func `While another run prints, one whose time is up prints nothing`(options: [String])
    async throws
  {
    try await Networks.with { networks in
      let folder = try Folder()
      let new = [
        "run", "plenty900", "--source", "hackernews", "--per-search", "900", "--new", "--format",
        "ndjson",
      ]
      #expect(mkfifo(folder["out"], 0o600) == 0)
      let reader = open(folder["out"], O_RDONLY | O_NONBLOCK)
      defer { close(reader) }
      let running = try Program.searchagg.start(
        new + ["-o", "out"], environment: networks.environment, in: folder)
      var part = [UInt8](repeating: 0, count: 1 << 16)
      try await waitUntil("it writes") { read(reader, &part, 1) == 1 }
      let other = try await Program.searchagg.run(
        new + ["--max-time", "1s"] + options, environment: networks.environment, in: folder)
      #expect(other.status == 75 && other.output.isEmpty, "\(other.output.prefix(200))")
      #expect(other.errors.contains("another run or watch is still printing"), "\(other.errors)")
      try await waitUntil("it has written all") { read(reader, &part, part.count) == 0 }
      let ended = try await running.ended()
      #expect(ended.status == 0, "\(ended.errors)")
      let last = try await Program.searchagg.run(
        new + options, environment: networks.environment, in: folder)
      #expect(last.status == 0, "\(last.errors)")
      #expect(try posts(in: last) == [])
    }
  }

  @Test func `What the limit leaves out stays new`() async throws {
    let pace = Pace(hoursAgo: 20)
    try await Networks.with(written: { pace.written }) { networks in
      let folder = try Folder()
      let first = try await Program.searchagg.run(
        arguments(), environment: networks.environment, in: folder)
      var printed = try #require(try posts(in: first))
      pace.advance(to: 0)
      var last = 10
      while last == 10 {
        let ended = try await Program.searchagg.run(
          arguments("-n", "10"), environment: networks.environment, in: folder)
        #expect(ended.status == 0, "\(ended.errors)")
        let posts = try #require(try posts(in: ended))
        last = posts.count
        printed += posts
      }
      #expect(Set(printed).count == printed.count)
      let missing = try await allPosts(since: first, networks).subtracting(printed)
      #expect(missing.isEmpty, "\(missing)")
    }
  }

  @Test func `No post is lost or repeated when runs are killed`() async throws {
    let runs = ProcessInfo.processInfo.environment["KILLED_RUNS"].flatMap { Int($0) } ?? 30
    var random = SeededRandom(seed: 13)
    let pace = Pace(hoursAgo: 100)
    try await Networks.with(written: { pace.written }) { networks in
      let folder = try Folder()
      let begin = ContinuousClock.now
      let first = try await Program.searchagg.run(
        arguments(), environment: networks.environment, in: folder)
      let duration = (ContinuousClock.now - begin) / .seconds(1)
      #expect(first.status == 0, "\(first.errors)")
      var union = Set(try #require(try posts(in: first)))
      var completed = Array(union)
      var killed = 0
      for run in 1...runs {
        pace.advance(to: 100 - 100 * Double(run) / Double(runs))
        // At a random moment of a run, or after its end.
        let moment = Double.random(in: 0...duration * 1.5, using: &random)
        let ended = try await Program(path: "/usr/bin/timeout").run(
          ["--signal=KILL", "\(moment)", Program.searchagg.path] + arguments(),
          environment: networks.environment, in: folder)
        guard let posts = try posts(in: ended) else {
          killed += 1
          continue
        }
        union.formUnion(posts)
        if ended.status == 0 { completed += posts } else { killed += 1 }
      }
      let last = try await Program.searchagg.run(
        arguments(), environment: networks.environment, in: folder)
      #expect(last.status == 0, "\(last.errors)")
      #expect(last.errors == "")
      let posts = try #require(try posts(in: last))
      union.formUnion(posts)
      completed += posts
      #expect(killed > 0)
      #expect(Set(completed).count == completed.count)
      let missing = try await allPosts(since: first, networks).subtracting(union)
      #expect(missing.isEmpty, "\(missing)")
    }
  }

  @Test func `Ten runs at once on one state lose nothing`() async throws {
    let pace = Pace(hoursAgo: 20)
    try await Networks.with(written: { pace.written }) { networks in
      let folder = try Folder()
      let environment = networks.environment
      let first = try await Program.searchagg.run(
        arguments(), environment: environment, in: folder)
      var union = Set(try #require(try posts(in: first)))
      pace.advance(to: 0)
      try await withThrowingTaskGroup { group in
        for _ in 0..<10 {
          let arguments = arguments()
          group.addTask {
            try await Program.searchagg.run(arguments, environment: environment, in: folder)
          }
        }
        for try await ended in group {
          #expect(ended.status == 0, "\(ended.errors)")
          #expect(ended.errors == "")
          union.formUnion(try #require(try posts(in: ended)))
        }
      }
      let missing = try await allPosts(since: first, networks).subtracting(union)
      #expect(missing.isEmpty, "\(missing)")
      let last = try await Program.searchagg.run(
        arguments(), environment: environment, in: folder)
      #expect(try posts(in: last) == [])
    }
  }

  @Test func `Two first runs at once print one sample between them`() async throws {
    try await Networks.with { networks in
      let folder = try Folder()
      let environment = networks.environment(faults: ["x": "~latency=500"])
      func run() async throws -> [String] {
        let ended = try await Program.searchagg.run(
          ["run", "plenty900", "--source", "x", "--new", "--format", "ndjson"],
          environment: environment, in: folder)
        #expect(ended.status == 0, "\(ended.errors)")
        return try #require(try posts(in: ended))
      }
      async let early = run()
      // Begins before the other one has an answer, and has its own after the other has printed.
      try await Task.sleep(for: .milliseconds(250))
      let late = try await run()
      let both = try await early + late
      #expect(both.count == 20)
      #expect(Set(both).count == 20)
    }
  }

  @Test func `A file is appended to, or kept when nothing is new`() async throws {
    let pace = Pace(hoursAgo: 20)
    try await Networks.with(written: { pace.written }) { networks in
      let folder = try Folder()
      func run(_ file: String, _ more: String...) async throws {
        let ended = try await Program.searchagg.run(
          ["run", "#swift", "--new", "--format", "plain", "-o", file, "--state", "\(file).db"]
            + more, environment: networks.environment, in: folder)
        #expect(ended.status == 0, "\(ended.errors)")
      }
      try await run("a")
      let first = try folder.text(of: "a")
      try await run("a")
      #expect(try folder.text(of: "a") == first)
      try await run("b", "--append")
      pace.advance(to: 10)
      try await run("a")
      try await run("b", "--append")
      let second = try folder.text(of: "a")
      #expect(second != first)
      #expect(try folder.text(of: "b") == first + second)
    }
  }

  @Test func `A file that begins as another output is not appended to`() async throws {
    try await Networks.with { networks in
      let folder = try Folder()
      func run(_ more: String...) async throws -> Program.Ended {
        try await Program.searchagg.run(
          ["run", "#swift", "--no-state", "-n", "2", "--append", "-o", "a.csv"] + more,
          environment: networks.environment, in: folder)
      }
      #expect(try await run("--fields", "id,url").status == 0)
      #expect(try await run("--fields", "id,url").status == 0)
      let csv = try folder.text(of: "a.csv")
      #expect(csv.split(separator: "\r\n").filter { $0.contains("record,") }.count == 1)
      for other in [["--fields", "url,id"], ["--format", "ndjson"], ["--format", "tsv"]] {
        let refused = try await run(other[0], other[1])
        #expect(refused.status == 64)
        #expect(refused.errors.contains("a.csv was written in another format or with other fields"))
        #expect(try folder.text(of: "a.csv") == csv)
      }
    }
  }

  @Test func `A post that could not be written stays new`() async throws {
    try await Networks.with { networks in
      let folder = try Folder()
      let full = try await Program(path: "/bin/sh").run(
        ["-c", "exec \(Program.searchagg.path) run '#swift' --new --format plain > /dev/full"],
        environment: networks.environment, in: folder)
      #expect(full.status == 74)
      let ended = try await Program.searchagg.run(
        ["run", "#swift", "--new", "--format", "plain"], environment: networks.environment,
        in: folder)
      #expect(ended.lines.count > 50)
    }
  }

  @Test func `A terminal shows every post that will count as printed`() async throws {
    try await Networks.with { networks in
      let folder = try Folder()
      let arguments = ["run", "#swift", "--new", "--progress", "never"]
      let plain = try await Program.searchagg.run(
        arguments + ["--format", "ndjson", "--state", "other.db"],
        environment: networks.environment, in: folder)
      var environment = networks.environment
      environment["NO_COLOR"] = "1"
      let shown = try await PseudoTerminal(columns: 400).run(
        .searchagg, arguments + ["--no-pager"], environment: environment, in: folder)
      let addresses = try plain.objects.dropLast().compactMap { $0["url"] as? String }
      #expect(addresses.count > 50)
      let missing = addresses.filter { !shown.output.contains($0) }
      #expect(missing.isEmpty, "\(missing)")
    }
  }

  @Test func `New posts need a state`() async throws {
    for arguments in [["--new", "--no-state"], ["--new-all", "--no-state"], ["--append"]] {
      let ended = try await Program.searchagg.run(["run", "a"] + arguments, in: Folder())
      #expect(ended.status == 64)
      #expect(ended.errors.contains(arguments.last ?? ""))
    }
  }

  @Test func `A forgotten tag starts over`() async throws {
    try await Networks.with { networks in
      let folder = try Folder()
      func run(_ arguments: String...) async throws -> Program.Ended {
        try await Program.searchagg.run(
          arguments, environment: networks.environment, in: folder)
      }
      let first = try await run("run", "#swift", "--new", "--format", "plain")
      #expect(try await run("run", "#swift", "--new", "--format", "plain").output == "")
      #expect(try await run("state", "forget", "libcurl").status == 1)
      let forgotten = try await run("state", "forget", "#swift")
      #expect(forgotten.status == 0)
      #expect(forgotten.errors.contains("5 searches reset: the next --new is a first run"))
      #expect(
        try await run("run", "#swift", "--new", "--format", "plain").output == first.output)
    }
  }

  @Test(arguments: ["garbage", "newer", "folder"])
  func `A damaged state costs one line, and the run prints the same`(damage: String) async throws {
    try await Networks.with { networks in
      let folder = try Folder()
      var environment = networks.environment
      environment["SEARCHAGG_NO_HISTORY"] = "false"
      let plain = try await Program.searchagg.run(
        ["run", "#swift", "--no-state"], environment: environment, in: folder)
      switch damage {
      case "garbage": try folder.write(String(repeating: "x", count: 9000), to: "state.db")
      case "newer":
        try await #require(
          Program.searchagg.run(
            ["run", "#swift", "--state", "state.db"], environment: environment,
            in: folder
          ).status == 0)
        let file = URL(filePath: folder["state.db"])
        var bytes = try Data(contentsOf: file)
        bytes[63] = 99
        try bytes.write(to: file)
        for suffix in ["-wal", "-shm"] {
          try? FileManager.default.removeItem(atPath: folder["state.db\(suffix)"])
        }
      default:
        try FileManager.default.createDirectory(
          atPath: folder["state.db"], withIntermediateDirectories: true)
      }
      let ended = try await Program.searchagg.run(
        ["run", "#swift", "--state", "state.db"], environment: environment, in: folder)
      #expect(ended.status == 0)
      #expect(ended.output == plain.output)
      let lines = ended.errors.split(separator: "\n").filter { $0.contains("state.db") }
      #expect(lines.count == 1, "\(ended.errors)")
    }
  }
}
