import Foundation
import NetworkSimulator
import Synchronization
import TestSupport
import Testing

/// `--exec` and `--notify`, with whole processes.
@Suite(.serialized) struct DeliveryTests {
  /// The identities of the posts in lines of ndjson, without lines that were cut.
  private func posts(in text: String) -> [String] {
    text.split(separator: "\n").compactMap { line in
      let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      guard let uri = object?["uri"] else { return nil }
      return "\(object?["source"] ?? "") \(uri)"
    }
  }

  private func runNew(
    _ more: String..., environment: [String: String], in folder: Folder
  ) async throws -> Program.Ended {
    try await Program.searchagg.run(Self.newRun + more, environment: environment, in: folder)
  }

  private static let newRun = ["run", "#swift", "--new", "--notify-first", "--format", "ndjson"]

  @Test func `A command reads the printed posts, the oldest first, and sees no credential`()
    async throws
  {
    try await Networks.with { networks in
      let folder = try Folder()
      var environment = networks.environment
      environment["PGPASSWORD"] = "s3cret"
      environment["SEARCHAGG_TAGS_FILE"] = "postgresql://ada:s3cret@127.0.0.1:1/tags"
      let ended = try await runNew(
        "--exec", "cat > got; env; grep SigIgn /proc/self/status; echo done",
        environment: environment, in: folder)
      #expect(ended.status == 0, "\(ended.errors)")
      let printed = posts(in: ended.output)
      #expect(printed.count > 50)
      #expect(posts(in: try folder.text(of: "got")) == printed.reversed())
      // Its output is not mixed with ours.
      #expect(ended.errors.contains("done\n") && !ended.output.contains("done\n"))
      #expect(ended.errors.contains("SEARCHAGG_X_URL="))
      // What this program ignores, its child processes do not: SIGPIPE and SIGXFSZ.
      let line = try #require(ended.errors.firstMatch(of: /SigIgn:\s*([0-9a-f]+)/))
      let ignored = try #require(UInt64(line.1, radix: 16))
      #expect(ignored & (1 << 12 | 1 << 24) == 0)
      #expect(!ended.errors.contains("s3cret"))
      for name in networks.environment.keys where !name.hasPrefix("SEARCHAGG_") {
        #expect(!ended.errors.contains("\(name)="), "\(name)")
      }
      // Without new posts nothing is run.
      let again = try await runNew(
        "--exec", "touch again", environment: networks.environment, in: folder)
      #expect(again.status == 0)
      #expect(!FileManager.default.fileExists(atPath: folder["again"]))
    }
  }

  @Test func `A batch that fails is kept, and comes first at the next run`() async throws {
    let pace = Pace(hoursAgo: 20)
    try await Networks.with(written: { pace.written }) { networks in
      let folder = try Folder()
      let command = "[ -e fixed ] && cat >> got || exit 3"
      let first = try await runNew(
        "--exec", command, environment: networks.environment, in: folder)
      #expect(first.status == 2)
      #expect(first.errors.contains("--exec: the command ended with status 3; "), "\(first.errors)")
      #expect(first.errors.contains("attempt 1 of 6"))
      try folder.write("", to: "fixed")
      pace.advance(to: 0)
      let second = try await runNew(
        "--exec", command, environment: networks.environment, in: folder)
      #expect(second.status == 0, "\(second.errors)")
      #expect(
        posts(in: try folder.text(of: "got"))
          == posts(in: first.output).reversed() + posts(in: second.output).reversed())
    }
  }

  @Test func `The time of a run also bounds how long it passes posts on`() async throws {
    try await Networks.with { networks in
      let folder = try Folder()
      let first = try await runNew(
        "--exec", "sleep 600", "--max-time", "1s", environment: networks.environment, in: folder)
      #expect(first.errors.contains("--exec: time is up; the next run will send"))
      #expect(first.status == 2, "\(first.errors)")
      // Nor does it wait longer for another run.
      let slow = try Program.searchagg.start(
        ["run", "#swift", "--new", "--exec", "sleep 600"], environment: networks.environment,
        in: folder)
      defer { slow.send(SIGTERM) }
      for _ in 0..<12_000 {
        let names = try FileManager.default.contentsOfDirectory(
          atPath: folder["state/searchagg"])
        if names.contains(where: { $0.contains("outbox") }) { break }
        try await Task.sleep(for: .milliseconds(10))
      }
      let third = try await runNew(
        "--exec", "sleep 600", "--max-time", "1s", environment: networks.environment, in: folder)
      #expect(third.errors.contains("another run is still passing posts on"), "\(third.errors)")
    }
  }

  @Test func `Posts that nobody asks for can be listed, sent and dropped`() async throws {
    try await Networks.with { networks in
      let folder = try Folder()
      let environment = networks.environment
      func undelivered(_ words: String...) async throws -> Program.Ended {
        try await Program.searchagg.run(
          ["undelivered"] + words, environment: environment, in: folder)
      }
      let first = try await runNew("--exec", "exit 3 # typo", environment: environment, in: folder)
      let count = posts(in: first.output).count
      let list = try await undelivered("list")
      #expect(list.lines.count == 2)
      #expect(list.output.contains("1   \(count)"), "\(list.output)")
      #expect(list.output.contains("--exec 'exit 3 # typo'"))
      let neither = try await undelivered("send", "1")
      #expect(neither.status == 64)
      let unknown = try await undelivered("drop", "7")
      #expect(unknown.status == 1)
      let failed = try await undelivered("send", "1", "--exec", "exit 4")
      #expect(failed.status == 69)
      #expect(
        failed.errors.contains("--exec: the command ended with status 4; \(count) posts left"))
      let sent = try await undelivered("send", "1", "--exec", "cat > got")
      #expect(sent.status == 0, "\(sent.errors)")
      #expect(posts(in: try folder.text(of: "got")) == posts(in: first.output).reversed())
      let empty = try await undelivered("list")
      #expect(empty.output == "" && empty.errors.contains("everything has been delivered"))

      try FileManager.default.createDirectory(
        atPath: folder["state/searchagg/undelivered"], withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
      for name in ["a", "b"] {
        try folder.write(
          "{\"id\": \"\(name)\"}\n", to: "state/searchagg/undelivered/\(name).ndjson")
      }
      let file = try await undelivered("send", "a.ndjson", "--exec", "cat > got")
      #expect(file.status == 0, "\(file.errors)")
      #expect(try folder.text(of: "got") == "{\"id\": \"a\"}\n")
      let dropped = try await undelivered("drop", "undelivered/b.ndjson", "b.ndjson")
      #expect(dropped.errors == "searchagg: dropped b.ndjson: 1 post\n")
      #expect(try await undelivered("list").output == "")
    }
  }

  @Test func `A command that reads nothing, or is missing, blocks nothing`() async throws {
    try await Networks.with { networks in
      let folder = try Folder()
      let deaf = try await runNew("--exec", "true", environment: networks.environment, in: folder)
      #expect(deaf.status == 0, "\(deaf.errors)")
      let missing = try await runNew(
        "--exec", "no-such-command", "--state", "other.db", environment: networks.environment,
        in: folder)
      #expect(missing.status == 2)
      #expect(missing.errors.contains("the command ended with status 127"))
    }
  }

  /// The state is a file, or a database where PostgreSQL is installed.
  @Test(arguments: PostgresServer.isInstalled ? [false, true] : [false])
  func `No post is left undelivered or out of order when watches are killed`(
    isShared: Bool
  ) async throws {
    let address = isShared ? try PostgresServer.shared().database() : nil
    let runs = ProcessInfo.processInfo.environment["KILLED_RUNS"].flatMap { Int($0) } ?? 30
    var random = SeededRandom(seed: 17)
    let pace = Pace(hoursAgo: 100)
    try await Networks.with(written: { pace.written }) { networks in
      let folder = try Folder()
      var environment = networks.environment
      environment["SEARCHAGG_SOURCE"] = "hackernews,mastodon"
      environment["SEARCHAGG_STATE"] = address
      if isShared {
        let made = try await Program.searchagg.run(
          ["state", "init"], environment: environment, in: folder)
        #expect(made.status == 0, "\(made.errors)")
      }
      // It fails at random, but not twice in a row, before it has taken anything.
      let command =
        "cat > batch.$$; if [ -e failed ]; then rm failed; "
        + "elif [ $(($(od -An -N1 -tu1 /dev/urandom) % 3)) = 0 ]; then touch failed; exit 1; fi; "
        + "cat batch.$$ >> got; rm batch.$$"
      let arguments =
        [
          "watch", "#swift", "libcurl", "--every", "100ms", "--format", "ndjson", "--notify-first",
          "--exec", command,
        ] + (isShared ? ["--lease", "2s"] : [])
      try folder.write("", to: "got")
      // First runs print samples: what one that is killed has printed need not be among those of the next.
      pace.advance(to: 100)
      let first = try await Program.searchagg.run(
        arguments + ["--for", "2s"], environment: environment, in: folder)
      var printed = posts(in: first.output)
      for run in 1...runs {
        pace.advance(to: 100 - 100 * Double(run) / Double(runs))
        let moment = Double.random(in: 0.1...1.5, using: &random)
        let ended = try await Program(path: "/usr/bin/timeout").run(
          ["--signal=KILL", "\(moment)", Program.searchagg.path] + arguments,
          environment: environment, in: folder)
        printed += posts(in: ended.output)
      }
      // Until a round has nothing left to deliver, and the leases of those that were killed have ended.
      // A slow machine may need many rounds.
      let end = ContinuousClock.now + .seconds(300)
      var isUnfinished = true
      while isUnfinished, ContinuousClock.now < end {
        let ended = try await Program.searchagg.run(
          arguments + ["--for", isShared ? "5s" : "2s"], environment: environment, in: folder)
        printed += posts(in: ended.output)
        let delivered = posts(in: try folder.text(of: "got"))
        isUnfinished =
          ended.status != 0 || ended.errors.contains("again")
          || !Set(printed).isSubset(of: delivered)
      }
      #expect(printed.count > 30)
      let got = posts(in: try folder.text(of: "got"))
      let missing = Set(printed).subtracting(got)
      #expect(missing.isEmpty, "\(missing)")
      // A post that was printed twice was marked, and put in line, after the last time.
      var lines: [String] = []
      var seen: Set<String> = []
      for post in printed.reversed() where seen.insert(post).inserted { lines.append(post) }
      seen = []
      let delivered = got.filter { seen.insert($0).inserted }
      #expect(delivered == lines.reversed())
      #expect(!FileManager.default.fileExists(atPath: folder["state/searchagg/undelivered"]))
      if let address {
        #expect(
          try PostgresServer.shared().query(
            "SELECT count(*) FROM searchagg.undelivered", in: address) == "0\n")
      }
    }
  }

  /// Writes the user's own configuration with channels of each kind at a server.
  /// The same on one network, with the channels of a server.
  private func runNew(
    _ more: String..., over server: RecordingServer
  ) async throws -> Program.Ended {
    try await Networks.with { networks in
      let folder = try Folder()
      try configure(folder, server)
      var environment = networks.environment
      environment["SEARCHAGG_SOURCE"] = "hackernews"
      return try await Program.searchagg.run(
        Self.newRun + more, environment: environment, in: folder)
    }
  }

  private func configure(_ folder: Folder, _ server: RecordingServer) throws {
    let channels = ["slack", "discord", "matrix", "ntfy", "json"].map { kind in
      #""\#(kind)": {"kind": "\#(kind)", "url": "{\#(kind.uppercased())_HOOK}"}"#
    }.joined(separator: ",")
    try folder.write(#"{"channels": {\#(channels)}}"#, to: "config/searchagg/config.json")
    let hooks = ["slack", "discord", "matrix", "ntfy", "json"].map { kind in
      #""\#(kind.uppercased())_HOOK": "\#(server.address)/\#(kind)/s3cret""#
    }.joined(separator: ",")
    try folder.write("{\(hooks)}", to: "config/searchagg/credentials.json", mode: 0o600)
  }

  @Test(arguments: ["slack", "discord", "matrix", "ntfy", "json"])
  func `Hostile posts reach a channel as plain text that mentions nobody`(
    kind: String
  ) async throws {
    let server = try RecordingServer { _ in (200, "ok") }
    defer { server.stop() }
    try await Networks.with { networks in
      let folder = try Folder()
      try configure(folder, server)
      var environment = networks.environment
      environment["SEARCHAGG_HACKERNEWS_URL"] = networks.simulator.address(
        of: "hackernews", fault: "~hostile")
      environment["SEARCHAGG_SOURCE"] = "hackernews"
      let ended = try await runNew("--notify", kind, environment: environment, in: folder)
      #expect(ended.status == 0, "\(ended.errors)")
      #expect(!ended.errors.contains("s3cret"))
      let requests = server.requests
      #expect(!requests.isEmpty)
      for request in requests {
        #expect(request.head.hasPrefix(kind == "matrix" ? "PUT" : "POST"), "\(request.head)")
        let body = String(decoding: request.body, as: UTF8.self)
        if kind != "json" {
          #expect(
            body.unicodeScalars.allSatisfy {
              $0.value == 10
                || $0.value >= 32 && !(0x7F...0x9F).contains($0.value)
                  && !(0x202A...0x202E).contains($0.value)
            })
        }
        let object = try? JSONSerialization.jsonObject(with: request.body) as? [String: Any]
        switch kind {
        case "slack":
          let text = try #require(object?["text"] as? String)
          #expect(!text.contains("<") && text.utf16.count <= 4000)
          #expect(object?["mrkdwn"] as? Bool == false && object?["link_names"] as? Bool == false)
        case "discord":
          let text = try #require(object?["content"] as? String)
          #expect(text.utf16.count <= 2000)
          let mentions = object?["allowed_mentions"] as? [String: Any]
          #expect((mentions?["parse"] as? [String])?.isEmpty == true)
        case "matrix":
          let text = try #require(object?["body"] as? String)
          #expect(!text.lowercased().contains("@room"))
          #expect((object?["m.mentions"] as? [String: Any])?.isEmpty == true)
        case "ntfy": #expect(request.body.count <= 4096)
        default: #expect(object?["posts"] is [Any])
        }
      }
      if kind == "json" {
        let sent = requests.flatMap { request -> [[String: Any]] in
          let object = try? JSONSerialization.jsonObject(with: request.body) as? [String: Any]
          return object?["posts"] as? [[String: Any]] ?? []
        }
        #expect(sent.count == posts(in: ended.output).count)
      }
    }
  }

  @Test func `A server that repeats the path of a webhook does not show its secret`() async throws {
    let server = try RecordingServer { path in (404, "Cannot POST \(path)") }
    defer { server.stop() }
    try await Networks.with { networks in
      let folder = try Folder()
      try folder.write(
        #"{"channels": {"sec": {"kind": "json", "url": "{SEC_HOOK}"}}}"#,
        to: "config/searchagg/config.json")
      try folder.write(
        #"{"SEC_HOOK": "\#(server.address)/hooks/T0SEKR1T99/x"}"#,
        to: "config/searchagg/credentials.json", mode: 0o600)
      let ended = try await Program.searchagg.run(
        ["notify", "test", "sec"], environment: networks.environment, in: folder)
      #expect(
        ended.errors.contains("refused (404): ") && ended.errors.contains("***"), "\(ended.errors)")
      #expect(!ended.errors.contains("SEKR1T"))
    }
  }

  @Test func `A channel that asks for a pause gets it, and a redirect is not followed`()
    async throws
  {
    let first = Mutex(true)
    let server = try RecordingServer { path in
      if path.hasPrefix("/ntfy") { return (302, "") }
      let isFirst = first.withLock { value in
        defer { value = false }
        return value
      }
      return isFirst ? (429, #"{"retry_after": 0.05}"#) : (200, "ok")
    }
    defer { server.stop() }
    let ended = try await runNew("--notify", "discord", "--notify", "ntfy", over: server)
    #expect(ended.status == 2)
    #expect(ended.errors.contains("channel 'ntfy': the server redirected (302)"), "\(ended.errors)")
    #expect(!ended.errors.contains("channel 'discord'"))
    #expect(server.requests.count { $0.head.contains("/ntfy") } == 1)
    #expect(!ended.errors.contains("s3cret"))
  }

  @Test func `A post that a channel refuses holds no other one up`() async throws {
    let count = Mutex(0)
    let server = try RecordingServer { _ in
      let number = count.withLock { count in
        count += 1
        return count
      }
      // The second message, and then its first post alone.
      return number == 2 || number == 3 ? (400, #"{"code": 240000}"#) : (200, "ok")
    }
    defer { server.stop() }
    try await Networks.with { networks in
      let folder = try Folder()
      try configure(folder, server)
      var environment = networks.environment
      environment["SEARCHAGG_SOURCE"] = "hackernews"
      let ended = try await runNew("--notify", "discord", environment: environment, in: folder)
      #expect(ended.status == 2)
      #expect(
        ended.errors.contains(
          #"refused (400): {"code": 240000}; 1 post was not delivered; it is in "#),
        "\(ended.errors)")
      #expect(server.requests.count > 6)
      let listed = try await Program.searchagg.run(
        ["undelivered", "list"], environment: environment, in: folder)
      let names = listed.output.split(separator: "\n").dropFirst()
      #expect(names.count == 1, "\(listed.output)")
      let name = try #require(names.first?.split(separator: " ").first)
      let sent = try await Program.searchagg.run(
        ["undelivered", "send", String(name), "--notify", "discord"], environment: environment,
        in: folder)
      #expect(sent.errors.contains("channel 'discord': 1 post sent"), "\(sent.errors)")
    }
  }

  @Test func `A channel that takes nothing is not asked for each post`() async throws {
    let server = try RecordingServer { _ in (400, "no") }
    defer { server.stop() }
    let ended = try await runNew("--notify", "discord", over: server)
    #expect(ended.status == 2)
    #expect(ended.errors.contains("posts will be sent again (attempt 1 of 6)"), "\(ended.errors)")
    #expect(server.requests.count == 4)
  }

  @Test func `A pause that a channel asks for ends with the time of the run`() async throws {
    let server = try RecordingServer { _ in (429, #"{"retry_after": 55}"#) }
    defer { server.stop() }
    let begin = ContinuousClock.now
    let ended = try await runNew("--notify", "discord", "--max-time", "2s", over: server)
    #expect(ended.errors.contains("channel 'discord': time is up; the next run will send"))
    #expect(ContinuousClock.now - begin < .seconds(50))
  }

  @Test(arguments: ["<!DOCTYPE html><html>log in</html>", "\n <html lang=en>"])
  func `A web page in place of a channel's answer means that nothing was taken`(
    page: String
  ) async throws {
    let server = try RecordingServer { _ in (200, page) }
    defer { server.stop() }
    let ended = try await runNew("--notify", "slack", over: server)
    #expect(ended.status == 2)
    #expect(
      ended.errors.contains("channel 'slack': the response is a web page (200)"), "\(ended.errors)")
    #expect(ended.errors.contains("will be sent again"), "\(ended.errors)")
    let own = try await runNew("--notify", "json", over: server)
    #expect(own.status == 0, "\(own.errors)")
  }

  @Test(arguments: ["1e30", "1e999", "-1e300"])
  func `A pause that no calendar holds is one of a day at most`(pause: String) async throws {
    let server = try RecordingServer { _ in (429, "{\"retry_after\": \(pause)}") }
    defer { server.stop() }
    let ended = try await runNew("--notify", "discord", over: server)
    #expect(ended.status == 2)
    #expect(ended.errors.contains("channel 'discord': refused (429)"), "\(ended.errors)")
    #expect(ended.errors.contains("will be sent again"), "\(ended.errors)")
  }

  @Test func `A test message says whether a channel works`() async throws {
    let server = try RecordingServer { path in
      path.hasPrefix("/slack") ? (404, "no_service s3cret") : (200, "ok")
    }
    defer { server.stop() }
    let folder = try Folder()
    try configure(folder, server)
    let good = try await Program.searchagg.run(["notify", "test", "json"], in: folder)
    #expect(good.status == 0, "\(good.errors)")
    #expect(server.requests.count == 1)
    let bad = try await Program.searchagg.run(["notify", "test", "slack"], in: folder)
    #expect(bad.status == 69)
    #expect(bad.errors.contains("channel 'slack': refused (404): no_service"), "\(bad.errors)")
    let unknown = try await Program.searchagg.run(["notify", "test", "slak"], in: folder)
    #expect(unknown.status == 64)
    #expect(unknown.errors.contains("did you mean 'slack'?"))
  }

  @Test func `New posts are only sent over https, but to this machine`() async throws {
    let folder = try Folder()
    try folder.write(
      #"{"channels": {"a": {"kind": "json", "url": "http://192.0.2.1/x"}, "b": {"kind": "json", "url": "{B_HOOK}"}}}"#,
      to: "config/searchagg/config.json")
    for (name, words) in [("a", "only sent over https"), ("b", "B_HOOK is not set")] {
      let ended = try await Program.searchagg.run(
        ["run", "a", "--new", "--notify", name], in: folder)
      #expect(ended.status == 78)
      #expect(ended.errors.contains(words), "\(ended.errors)")
    }
  }

  @Test func `Files in the current folder can make nothing run and send nothing`() async throws {
    let server = try RecordingServer { _ in (200, "ok") }
    defer { server.stop() }
    try await Networks.with { networks in
      let folder = try Folder()
      let hostile =
        #""exec": "touch ran", "notify": "thief", "new": true, "every": "100ms", "#
        + #""channels": {"thief": {"kind": "json", "url": "\#(server.address)/"}}"#
      try folder.write("{\(hostile)}", to: "searchagg.json")
      try folder.write(
        ##"{"version": 1, "tags": [{"query": "#swift", "exec": "touch ran", "notify": "thief"}], \##(hostile)}"##,
        to: "tags.json")
      for command in [["run", "--new"], ["watch", "--for", "100ms"]] {
        let ended = try await Program.searchagg.run(
          command, environment: networks.environment, in: folder)
        #expect(ended.status == 0, "\(ended.errors)")
        for key in ["exec", "notify", "channels"] {
          #expect(ended.errors.contains("'\(key)' is ignored"), "\(ended.errors)")
        }
      }
      let named = try await Program.searchagg.run(
        ["run", "--new", "--notify", "thief"], environment: networks.environment, in: folder)
      #expect(named.status == 64)
      #expect(!FileManager.default.fileExists(atPath: folder["ran"]))
      #expect(server.requests.isEmpty)
    }
  }

  @Test func `A replay ignores what belongs to earlier and later runs`() async throws {
    try await Networks.with { networks in
      let folder = try Folder()
      _ = try await Program.searchagg.run(
        ["run", "#swift", "--record", "recording", "--format", "ndjson"],
        environment: networks.environment, in: folder)
      let plain = try await Program.searchagg.run(
        ["run", "--replay", "recording", "--format", "ndjson"], in: folder)
      let told = try await Program.searchagg.run(
        [
          "run", "--replay", "recording", "--format", "ndjson", "--new", "--exec", "touch ran",
          "--notify", "nobody",
        ], in: folder)
      #expect(told.status == 0, "\(told.errors)")
      #expect(told.errors.contains("--new, --exec and --notify have no effect in a replay"))
      #expect(told.output == plain.output)
      #expect(posts(in: told.output).count > 10)
      #expect(!FileManager.default.fileExists(atPath: folder["ran"]))
    }
  }

  @Test func `A signal during a command kills it, and the next run delivers`() async throws {
    try await Networks.with { networks in
      let folder = try Folder()
      let command = "[ -e fixed ] && cat > got || { echo $$ > pid; sleep 600; }"
      let running = try Program.searchagg.start(
        ["run", "#swift", "--new", "--notify-first", "--format", "ndjson", "--exec", command],
        environment: networks.environment, in: folder)
      var process: Int32?
      for _ in 0..<12_000 where process == nil {
        process = (try? folder.text(of: "pid")).flatMap { Int32($0.filter(\.isNumber)) }
        try await Task.sleep(for: .milliseconds(10))
      }
      let group = try #require(process)
      running.send(SIGTERM)
      let ended = try await running.ended()
      #expect(ended.signal == SIGTERM)
      // Until the system has reaped the orphans.
      for _ in 0..<12_000 where kill(-group, 0) == 0 {
        try await Task.sleep(for: .milliseconds(10))
      }
      #expect(kill(-group, 0) != 0)
      try folder.write("", to: "fixed")
      let next = try await runNew(
        "--exec", command, environment: networks.environment, in: folder)
      #expect(next.status == 0, "\(next.errors)")
      #expect(posts(in: try folder.text(of: "got")) == posts(in: ended.output).reversed())
    }
  }
}
