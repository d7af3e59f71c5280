import Foundation
import NetworkSimulator
import Testing

@Suite struct ExecutableTests {
  /// The executable is next to the tests' own.
  private static let executable = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appendingPathComponent("searchagg-sim")

  /// Starts it and returns what it prints before it is ready.
  private func start(_ arguments: String...) throws -> (Process, lines: [String]) {
    let process = Process()
    let output = Pipe()
    process.executableURL = Self.executable
    process.arguments = arguments
    process.standardOutput = output
    try process.run()
    var text = ""
    while !text.hasSuffix("ready\n") {
      let data = output.fileHandleForReading.availableData
      guard !data.isEmpty else { break }
      text += String(decoding: data, as: UTF8.self)
    }
    return (process, text.split(separator: "\n").map(String.init))
  }

  @Test(arguments: [SIGTERM, SIGINT])
  func `It prints its environment, serves, and exits with 0 on a signal`(signal: Int32) async throws
  {
    let (process, lines) = try start("--seed", "7")
    defer { process.terminate() }
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
    kill(process.processIdentifier, signal)
    process.waitUntilExit()
    #expect(process.terminationReason == .exit)
    #expect(process.terminationStatus == 0)
    await #expect(throws: RawClient.Failure.self) { try await RawClient(port: port).send("/x") }
  }

  @Test func `For a shell it prints export lines and nothing else, ends them, and serves`()
    async throws
  {
    let process = Process()
    let output = Pipe()
    process.executableURL = Self.executable
    process.arguments = ["--env", "--seed", "7"]
    process.standardOutput = output
    try process.run()
    defer { process.terminate() }
    // To its end, as a shell reads it, though the process goes on.
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
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
    let (process, lines) = try start("--config", file.path)
    defer { process.terminate() }
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
    let (process, lines) = try start("--seed", "7")
    defer { process.terminate() }
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
  private func sockets(of process: Process) throws -> Int {
    let folder = "/proc/\(process.processIdentifier)/fd"
    return try FileManager.default.contentsOfDirectory(atPath: folder).count { name in
      // A descriptor may be closed between the listing and the look at it.
      let target = try? FileManager.default.destinationOfSymbolicLink(atPath: folder + "/" + name)
      return target?.hasPrefix("socket:") == true
    }
  }

  @Test func `A stalled request ends when its client disconnects`() async throws {
    let (process, lines) = try start()
    defer { process.terminate() }
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
      open = try sockets(of: process)
    }
    // The listening one, and those of the looks.
    #expect(open <= 3)
  }

  @Test func `A taken port exits with 69 and one line`() async throws {
    try await withSimulator { fixture in
      let process = Process()
      let errors = Pipe()
      process.executableURL = Self.executable
      process.arguments = ["--port", "\(fixture.simulator.port)"]
      process.standardError = errors
      process.standardOutput = FileHandle.nullDevice
      try process.run()
      let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      #expect(process.terminationStatus == 69)
      #expect(text.hasPrefix("searchagg-sim: port \(fixture.simulator.port) is taken"))
      #expect(text.split(separator: "\n").count == 1)
    }
  }

  @Test func `An invalid date is a usage error`() throws {
    let process = Process()
    process.executableURL = Self.executable
    process.arguments = ["--now", "tomorrow"]
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 64)
  }
}
