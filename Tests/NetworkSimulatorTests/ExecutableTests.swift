import Foundation
import NetworkSimulator
import TestSupport
import Testing

@Suite struct ExecutableTests {
  /// Starts it and returns what it prints before it is ready.
  private func start(_ arguments: String...) async throws -> (RunningProgram, lines: [String]) {
    let program = try Program.simulator.start(arguments, in: Folder())
    let end = ContinuousClock.now + .seconds(60)
    while program.isRunning, ContinuousClock.now < end, try !program.output.hasSuffix("ready\n") {
      try await Task.sleep(for: .milliseconds(5))
    }
    return (program, try program.output.split(separator: "\n").map(String.init))
  }

  @Test(arguments: [SIGTERM, SIGINT])
  func `It prints its environment, serves, and exits with 0 on a signal`(signal: Int32) async throws
  {
    let (program, lines) = try await start("--seed", "7")
    defer { program.send(SIGKILL) }
    #expect(lines.last == "ready")
    let first = try #require(lines.first)
    let prefix = "SEARCHAGG_TWITTER_CLASSIC_URL=http://127.0.0.1:"
    #expect(first.hasPrefix(prefix) && first.hasSuffix("/twitter-classic"))
    let port = try #require(UInt16(first.dropFirst(prefix.count).prefix { $0.isNumber }))
    let simulator = try await Simulator.start(seed: 7) { Date.now }
    let own = simulator.environmentLines.map {
      $0.replacing(":\(simulator.port)/", with: ":\(port)/")
    }
    await simulator.stop()
    #expect(Array(lines.dropLast()) == own)
    let response = try await RawClient(port: port).send("/hackernews/api/v1/search?query=swift")
    #expect(response.status == 200)
    program.send(signal)
    #expect(try await program.ended().status == 0)
    await #expect(throws: RawClient.Failure.self) { try await RawClient(port: port).send("/x") }
  }

  @Test func `For a shell it prints export lines and nothing else, ends them, and serves`()
    async throws
  {
    let output = Pipe()
    let process = try ChildProcess(
      Program.simulator.path, ["--env", "--seed", "7"], in: "/",
      output: output.fileHandleForWriting.fileDescriptor)
    defer { process.kill() }
    try output.fileHandleForWriting.close()
    // To its end, as a shell reads it, though the process goes on.
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    #expect(process.isRunning)
    let lines = text.split(separator: "\n")
    #expect(lines.count > 20)
    for line in lines { #expect(line.contains(/^export [A-Z_]+='[^']+'$/), "\(line)") }
    let port = try #require(text.firstMatch(of: /127\.0\.0\.1:(\d+)/).flatMap { UInt16($0.1) })
    let response = try await RawClient(port: port).send("/hackernews/api/v1/search?query=swift")
    #expect(response.status == 200)
  }

  @Test func `A configuration file has the addresses of all networks, and switches none on`()
    async throws
  {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "sim.json")
    let (program, lines) = try await start("--config", file.path)
    defer { program.send(SIGKILL) }
    #expect(lines.last == "ready" && !lines.contains { $0.contains("arxiv") })
    let json = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any]
    let sources = try #require(json?["sources"] as? [String: [String: [String]]])
    #expect(Set(sources.keys) == Set(Simulator.sources + Simulator.catalog))
    #expect(sources.values.allSatisfy { $0.keys.elementsEqual(["servers"]) })
    let port = try #require(UInt16(lines[0].split { !$0.isNumber }.last { $0.count > 3 } ?? ""))
    #expect(sources["arxiv"]?["servers"] == ["http://127.0.0.1:\(port)/arxiv"])
  }

  @Test func `Without a date its posts end at the clock`() async throws {
    let begin = Date.now
    let (program, lines) = try await start("--seed", "7")
    defer { program.send(SIGKILL) }
    let base = try #require(
      lines.first?.split(separator: "=").last.flatMap { URL(string: "\($0)") })
    let response = try await RawClient(port: UInt16(base.port ?? 0))
      .send("/hackernews/api/v1/search_by_date?query=swift")
    let newest = try #require(response.json["hits"][0]["created_at_i"].integer)
    // The newest hour always has posts.
    let age = Int(begin.timeIntervalSince1970) - newest
    #expect((-60...3600).contains(age))
  }

  /// Returns how many sockets a process has open.
  private func sockets(of program: RunningProgram) throws -> Int {
    let folder = "/proc/\(program.identifier)/fd"
    return try FileManager.default.contentsOfDirectory(atPath: folder).count { name in
      // A descriptor may be closed between the listing and the look at it.
      let target = try? FileManager.default.destinationOfSymbolicLink(atPath: folder + "/" + name)
      return target?.hasPrefix("socket:") == true
    }
  }

  @Test func `A stalled request ends when its client disconnects`() async throws {
    let (program, lines) = try await start()
    defer { program.send(SIGKILL) }
    let base = try #require(
      lines.first?.split(separator: "=").last.flatMap { URL(string: "\($0)") })
    let client = RawClient(port: UInt16(base.port ?? 0))
    try await withThrowingTaskGroup(of: RawResponse.self) { group in
      for _ in 0..<50 { group.addTask { try await client.send("/~stall/x", patience: 1) } }
      for try await response in group { #expect(response.ending == .silence) }
    }
    // Each look is a request of its own, so that the simulator has its turn.
    var open = Int.max
    for _ in 0..<1000 where open > 3 {
      _ = try await client.send("/hackernews/api/v1/search?query=swift&hitsPerPage=1")
      open = try sockets(of: program)
    }
    // The listening one, and those of the looks.
    #expect(open <= 3)
  }

  @Test func `A taken port exits with 69 and one line`() async throws {
    try await withSimulator { fixture in
      let ended = try await Program.simulator.run(
        ["--port", "\(fixture.simulator.port)"], in: Folder())
      #expect(ended.status == 69)
      #expect(
        ended.errors.hasPrefix("searchagg-sim: port \(fixture.simulator.port) is taken"))
      #expect(ended.errors.split(separator: "\n").count == 1)
    }
  }

  @Test func `An invalid date is a usage error`() async throws {
    let ended = try await Program.simulator.run(["--now", "tomorrow"], in: Folder())
    #expect(ended.status == 64)
  }
}
