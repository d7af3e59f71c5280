import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

/// The code of the README and of the guide, taken out of them, built as one package and run.
@Suite struct DocumentedProgramTests {
  /// The programs of the README, in order.
  private static let programs = ["GetJSON", "Upload", "Download", "Thousand", "Signed"]
  private static let size = 1_000_000
  private static let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 / 251) }

  @Test func `The guide shows the README's manifest and programs`() throws {
    let readme = try Document.readme.get()
    let pages = try Document.pages.get()
    let started = try #require(pages.first { $0.name == "GettingStarted.md" })
    let programs = try #require(pages.first { $0.name == "Programs.md" })
    #expect(readme.code.count == 1 + Self.programs.count)
    #expect(started.code.first == readme.code.first)
    #expect(programs.code == Array(readme.code.dropFirst()))
    for document in [readme, started] {
      #expect(document.text.contains("libcurl4-openssl-dev zlib1g-dev pkg-config"))
    }
    // Every file that installs the program names the same repository.
    let formula = try String(
      contentsOf: ConsumerPackage.repository.appending(path: "packaging/searchagg.rb"),
      encoding: .utf8)
    let address = try #require(
      formula.split(separator: "\n").first { $0.contains("homepage") }?.split(separator: "\"").last)
    #expect(readme.code[0].contains("\"\(address)\""))
  }

  @Test func `The programs of the README and the code of the guide do what they say`() async throws
  {
    let folder = try Folder()
    try write(into: folder)
    try await ConsumerPackage.build(in: folder, traits: .none)
    let server = try LoopbackServer(script())
    defer { server.close() }
    let run = { (name: String, arguments: [String]) in
      try await Program(path: folder[".build/debug/\(name)"]).run(arguments, in: folder)
    }
    let got = try await run("GetJSON", [server.url("/repository")])
    #expect(got.output == "swift is written in C++\n", "\(got.errors)")
    let missing = try await run("GetJSON", [server.url("/gone")])
    #expect(missing.output == "\(server.url("/gone")): status 404, expected 200 to 299\n")
    #expect(missing.status == 1)
    try folder.write(Self.bytes, to: "large")
    let uploaded = try await run("Upload", [server.url("/upload"), folder["large"]])
    #expect(uploaded.lines.suffix(2) == ["100 %", "done: 200"], "\(uploaded.errors)")
    #expect(uploaded.lines.count { $0 == "100 %" } == 1)
    #expect(server.seen.requests.last?.body.count == Self.size)
    try await download(server, folder)
    try await interrupt(server, folder)
    let signed = try await run("Signed", [server.url("")])
    #expect(signed.lines.count { $0 == "getting a token" } == 1, "\(signed.errors)")
    #expect(signed.output.contains("100 responses after "))
    let items = server.seen.requests.filter { $0.target.hasPrefix("/items/") }
    #expect(items.count > 100)
    #expect(items.allSatisfy { $0.header("X-Signature")?.count ?? 0 > 8 })
    for (page, lines) in Self.guides {
      let scratch = try Folder()
      defer { scratch.remove() }
      try scratch.write([1, 2, 3], to: "file")
      let ended = try await run("guides", [page, server.url(""), scratch.path])
      #expect(ended.lines == lines, "\(page): \(ended.errors)")
    }
    folder.remove()
  }

  /// What the code of each page prints.
  private static let guides: [(page: String, lines: [String])] = [
    ("OperationQueue", ["2"]), ("SendOnQueue", ["1 × 499", "200"]),
    ("ReleaseOnQueue", ["1 × 200", "200"]), ("StartAndStop", ["1 × cancelled", "cancelled"]),
    ("CallAnyService", ["10 × 200", "3"]),
    ("GettingStarted", [json, "hello", "200", "request 1 finished", "200"]),
    ("Errors", ["gone", "200"]), ("DownloadsAndResume", ["200 200"]),
    ("Streams", ["one", "two", "22"]), ("RetriesAndTimeouts", ["2"]),
    ("Interceptors", ["welcome", "stamped"]),
    (
      "Caching",
      [
        "fresh network", "network stale", "old stale", "fresh network", "network stale", "true",
      ]
    ),
    ("LimitsPaceAndCoolDown", ["200", "postponed"]),
    ("CallbacksAndCounts", ["1 × 200", "1.0 0 18"]),
    ("WayToTheServer", ["200", "[\"api.example.org\"] true"]),
  ]

  private static let json = #"{"title": "hello"}"#

  /// Writes the package: the README's manifest, with this repository and a target for each program.
  private func write(into folder: Folder) throws {
    let readme = try Document.readme.get()
    let manifest = try #require(readme.code.first)
    let target = try #require(
      manifest.firstMatch(of: /\.executableTarget\([\s\S]*?"searchagg"\)\]\)/))
    let targets = (Self.programs + ["guides"]).map { name in
      target.output.replacing("\"example\"", with: "\"\(name)\"")
    }
    let address = /url: "[^"]*", branch: "[^"]*"/
    #expect(manifest.contains(address))
    try folder.write(
      manifest.replacing(target.output, with: targets.joined(separator: ",\n    ")).replacing(
        address, with: "name: \"searchagg\", path: \"\(ConsumerPackage.repository.path)\""),
      to: "Package.swift")
    for (name, code) in zip(Self.programs, readme.code.dropFirst()) {
      try folder.write(code, to: "Sources/\(name)/\(name).swift")
    }
    let guides = ConsumerPackage.repository.appending(path: "Tests/Guides")
    var used: Set<String> = []
    for name in ["Guides.swift", "Classics.swift", "Pages.swift"] {
      let text = try String(contentsOf: guides.appending(path: name), encoding: .utf8)
      try folder.write(try filled(text, &used), to: "Sources/guides/\(name)")
    }
    for page in try Document.pages.get() where page.name != "Programs.md" {
      for number in page.code.indices where (page.name, number) != ("GettingStarted.md", 0) {
        #expect(used.contains("\(number + 1) of \(page.name)"), "\(page.name)")
      }
    }
  }

  /// The text with the pieces of code that its comments name.
  private func filled(_ text: String, _ used: inout Set<String>) throws -> String {
    let pages = try Document.pages.get()
    return try text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      guard let match = line.wholeMatch(of: /\s*\/\/ code (\d+) of (\w+\.md)/),
        let number = Int(match.1)
      else { return String(line) }
      let page = try #require(pages.first { $0.name == match.2 })
      try #require(page.code.indices.contains(number - 1), "\(line)")
      used.insert("\(number) of \(page.name)")
      return page.code[number - 1]
    }.joined(separator: "\n")
  }

  /// A download that is killed goes on where it was, and its progress with it.
  private func download(_ server: LoopbackServer, _ folder: Folder) async throws {
    let program = Program(path: folder[".build/debug/Download"])
    let arguments = [server.url("/file"), folder["downloaded"]]
    let first = try program.start(arguments, in: folder)
    // Which percentages are told depends on how the bytes arrive; 60 may be the only one.
    while try !steps(in: first.output).contains(where: { $0 >= 50 }), first.isRunning {
      usleep(2_000)
    }
    first.send(SIGKILL)
    #expect(try await first.ended().signal == SIGKILL)
    let second = try await program.run(arguments, in: folder)
    #expect(second.lines.last == "done: 206", "\(second.errors)")
    let steps = steps(in: second.output)
    #expect(try #require(steps.first) >= 40)
    #expect(steps.last == 100)
    #expect(folder.bytes(of: "downloaded") == Self.bytes)
  }

  /// The percentages that the program printed.
  private func steps(in output: String) -> [Int] {
    output.matches(of: /(\d+) %\n/).compactMap { Int($0.1) }
  }

  /// A thousand requests are canceled by one signal.
  private func interrupt(_ server: LoopbackServer, _ folder: Folder) async throws {
    let before = server.seen.requests.count
    let program = try Program(path: folder[".build/debug/Thousand"])
      .start([server.url("/thousand")], in: folder)
    // Eight are answered, and the eight after them never.
    await server.arrived(before + 16)
    program.send(SIGINT)
    let ended = try await program.ended()
    #expect(ended.status == 0, "\(ended.errors)")
    let counts = ended.output.split { !$0.isNumber }.compactMap { Int($0) }
    try #require(counts.count == 3, "\(ended.output)")
    #expect(counts[0] == 8)
    #expect(counts[1] == 0)
    #expect(counts[2] == 992)
  }

  private func script() -> LoopbackServer.Script {
    let orders = Shared(Atomic<Int>(0))
    let thousand = Shared(Atomic<Int>(0))
    return { request in
      let type = ["Content-Type: application/json"]
      let token = request.header("Authorization")
      switch request.target {
      case "/repository": return .ok(#"{"name": "swift", "language": "C++"}"#, headers: type)
      case "/gone": return .status(404, Array("gone".utf8))
      case "/file": return Self.file(from: request.header("Range"))
      case "/token": return .ok("fresh")
      case "/private": return token == "Bearer fresh" ? .ok("welcome") : .status(401)
      case "/stamp": return request.header("X-Attempt") == "2" ? .ok("stamped") : .status(403)
      case "/unanswered": return .stall
      case "/echo": return .status(200, request.body)
      case "/events": return .ok("data: one\n\ndata: two\n\n")
      case "/quota":
        return .ok("{}", headers: ["X-RateLimit-Remaining: 0", "X-RateLimit-Reset: 3600"])
      case "/sometimes":
        return orders.value.add(1, ordering: .relaxed).newValue == 1 ? .status(503) : .ok()
      case "/json" where request.header("Content-Type") == "application/json":
        return .status(200, request.body, headers: type)
      case "/json", "/etag": return .ok(Self.json, headers: type)
      case _ where request.target.hasPrefix("/items/"):
        return token == "Bearer fresh" ? .ok() : .status(401)
      case _ where request.target.hasPrefix("/thousand/"):
        return thousand.value.add(1, ordering: .relaxed).newValue <= 8 ? .ok() : .stall
      default: return .ok("{}", headers: type)
      }
    }
  }

  /// The first 600,000 bytes of a file and then nothing, or the rest that is asked for.
  private static func file(from range: String?) -> Answer {
    let tag = "ETag: \"v1\""
    guard let start = range.flatMap({ Int($0.dropFirst("bytes=".count).dropLast()) }) else {
      return .rawThenStall(
        Answer.head(200, ["Content-Length: \(size)", tag]) + bytes[..<600_000])
    }
    return .status(
      206, Array(bytes[start...]),
      headers: ["Content-Range: bytes \(start)-\(size - 1)/\(size)", tag])
  }
}
