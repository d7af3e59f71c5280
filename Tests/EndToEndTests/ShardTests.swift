import Foundation
import NetworkSimulator
import TestSupport
import Testing

/// `run --shard` and `merge`: the parts of a plan together are the plan.
struct ShardTests {
  private static let queries = ["#swiftlang", "libcurl", "nothing here"]
  /// All networks, and two servers of one of them with copies of the same posts.
  private static func environment(_ networks: Networks) -> [String: String] {
    var environment = networks.environment
    environment["SEARCHAGG_SOURCE"] = Simulator.sources.joined(separator: ",")
    let servers = ["", "~latency=1"].map { networks.simulator.address(of: "mastodon", fault: $0) }
    environment["SEARCHAGG_MASTODON_URL"] = servers.joined(separator: ",")
    return environment
  }

  private static func run(
    _ arguments: [String], _ environment: [String: String], _ folder: Folder
  ) async throws -> Program.Ended {
    try await Program.searchagg.run(arguments, environment: environment, in: folder)
  }

  /// Runs all parts, and returns the files that they wrote.
  private static func parts(
    _ count: Int, _ options: [String], _ environment: [String: String], _ folder: Folder
  ) async throws -> [String] {
    var files: [String] = []
    for part in 1...count {
      let file = "part-\(count)-\(part)"
      _ = try await run(
        ["run"] + queries + options + ["--shard", "\(part)/\(count)", "-o", file], environment,
        folder)
      files.append(file)
    }
    return files
  }

  /// The addresses of the posts of an output, in alphabetical order.
  private static func addresses(_ ended: Program.Ended) throws -> [String] {
    try ended.objects.dropLast().compactMap { $0["uri"] as? String }.sorted()
  }

  @Test(arguments: ["ndjson", "json"], [["--since", "1d"], ["-n", "25"], []])
  func `Merged parts are what one run prints`(format: String, options: [String]) async throws {
    try await Networks.with { networks in
      let environment = Self.environment(networks)
      let folder = try Folder()
      let options = options + ["--format", format]
      let whole = try await Self.run(["run"] + Self.queries + options, environment, folder)
      #expect(whole.output.count > 1000)
      for count in [1, 3, 10] {
        let files = try await Self.parts(count, options, environment, folder)
        // In any order.
        let merged = try await Self.run(
          ["merge", "--format", format] + files.reversed(), environment, folder)
        #expect(merged.status == whole.status)
        #expect(merged.lines.count == whole.lines.count)
        var lines = zip(merged.lines, whole.lines).map { ($0, $1) }
        // How far each search was read depends on the others.
        if options.contains("-n") { lines.removeLast() }
        for (line, expected) in lines where line != expected {
          Issue.record("\(count) parts: \(line) instead of \(expected)")
          break
        }
      }
    }
  }

  @Test func `Every server is asked by one part alone`() async throws {
    try await Networks.with { networks in
      let environment = Self.environment(networks)
      let folder = try Folder()
      let plan = ["run", "--dry-run", "--format", "ndjson"] + Self.queries
      let whole = try await Self.run(plan, environment, folder)
      var requests: [String] = []
      var owners: [String: Set<Int>] = [:]
      for part in 1...3 {
        let ended = try await Self.run(plan + ["--shard", "\(part)/3"], environment, folder)
        #expect(ended.errors.contains("part \(part) of 3 (this one): "))
        requests += ended.lines
        for object in try ended.objects where object["request"] != nil {
          let source = try #require(object["source"] as? String)
          let server = try #require(object["server"] as? String)
          owners["\(source) \(server)", default: []].insert(part)
        }
      }
      #expect(requests.sorted() == whole.lines.sorted())
      let asked = try whole.objects.filter { $0["request"] != nil }
      let servers = asked.map { "\($0["source"] ?? "") \($0["server"] ?? "")" }
      #expect(Set(servers) == Set(owners.keys) && owners.count > Simulator.sources.count)
      #expect(owners.values.allSatisfy { $0.count == 1 })
    }
  }

  @Test func `A part that is missing or cut off is named, and makes the whole partial`()
    async throws
  {
    try await Networks.with { networks in
      let environment = Self.environment(networks)
      let folder = try Folder()
      let files = try await Self.parts(3, ["--format", "ndjson"], environment, folder)
      let missing = try await Self.run(["merge", files[0], files[2]], environment, folder)
      #expect(missing.status == 2)
      #expect(missing.errors.contains("part 2 of 3 is missing"))
      let whole = try folder.text(of: files[1])
      let end = whole.index(whole.startIndex, offsetBy: whole.count - 100)
      try folder.write(String(whole[..<end]), to: "cut")
      let cut = try await Self.run(
        ["merge", "--format", "ndjson", files[0], "cut", files[2]], environment, folder)
      #expect(cut.status == 2)
      #expect(cut.errors.contains("cut lacks its outcomes (was it cut off, "))
      let all = try await Self.run(["merge", "--format", "ndjson"] + files, environment, folder)
      let piped = try await Program.searchagg.run(
        ["merge", "--format", "ndjson", files[0], "-", files[2]], environment: environment,
        in: folder, input: folder.text(of: files[1]))
      #expect(piped.status == all.status && piped.lines == all.lines)
      let empty = try await Self.run(["merge", files[0], "-", files[2]], environment, folder)
      #expect(empty.status == 2)
      #expect(empty.errors.contains("standard input lacks its outcomes (was it cut off, "))
      // Which of two copies comes first in the plan stood on the line that was cut off.
      #expect(try Self.addresses(cut) == Self.addresses(all))
      #expect(try cut.objects.last?["incomplete"] as? Bool == true)
      let none = try await Self.run(["merge", "nowhere"], environment, folder)
      #expect(none.status == 66)
      #expect(none.errors.contains("nowhere: no such file"))
    }
  }

  @Test func `Files that do not belong together are refused`() async throws {
    try await Networks.with { networks in
      let environment = Self.environment(networks)
      let folder = try Folder()
      let ndjson = ["--format", "ndjson"]
      let files = try await Self.parts(2, ndjson, environment, folder)
      func write(_ name: String, _ options: [String]) async throws {
        _ = try await Self.run(
          ["run"] + ndjson + options + ["-o", name], environment, folder)
      }
      try await write("other", ["#swiftlang", "--shard", "2/2"])
      try await write("later", Self.queries + ["--shard", "2/2", "--since", "1d"])
      try await write("whole", Self.queries)
      try await write("brief", Self.queries + ["--shard", "2/2", "--fields", "id,url"])
      try folder.write("[1, 2]\n", to: "strange")
      let refusals = [
        ("other", "other is a part of another plan"), ("later", "later is a part of another plan"),
        (files[0], "\(files[0]) was given twice"),
        ("whole", "whole is not an output of run --shard"),
        ("strange", "strange is not an output of run --shard"),
        ("brief", "brief has no source, which merging needs"),
      ]
      for (file, message) in refusals {
        let ended = try await Self.run(["merge", files[0], file], environment, folder)
        #expect(ended.status == 65, "\(file)")
        #expect(ended.errors.contains(message), "\(ended.errors)")
        #expect(ended.output.isEmpty)
      }
      for shard in ["0/2", "3/2", "1", "1/0", "-1/2", "1/10001", "a/b"] {
        let ended = try await Self.run(["run", "x", "--shard", shard], environment, folder)
        #expect(ended.status == 64, "\(shard)")
      }
    }
  }

  @Test func `Parts whose numbers nobody has counted are merged`() async throws {
    try await Networks.with { networks in
      let environment = Self.environment(networks)
      let folder = try Folder()
      let files = try await Self.parts(2, ["--format", "ndjson"], environment, folder)
      for file in files {
        let text = try folder.text(of: file)
        let place = try #require(text.range(of: #""incomplete":"#, options: .backwards))
        let numbers =
          #""excluded":{"reposts":9223372036854775807},"#
          + #""alerts":[{"tag":"x","kind":"spike","rate":9,"usual":1e300}],"#
        try folder.write(
          text.replacingCharacters(in: place, with: numbers + text[place]), to: file)
      }
      let ended = try await Self.run(
        ["merge"] + files + ["--format", "ndjson"], environment, folder)
      #expect(ended.status == 0, "\(ended.errors)")
      let last = try #require(try ended.objects.last)
      #expect(last["excluded"] == nil, "\(last)")
      #expect((last["alerts"] as? [[String: Any]])?.first?["usual"] as? Double == 1e300)
    }
  }

  @Test func `A part without servers says so, and merges`() async throws {
    try await Networks.with { networks in
      var environment = networks.environment
      environment["SEARCHAGG_SOURCE"] = "hackernews"
      let folder = try Folder()
      var empty = 0
      for part in 1...4 {
        let ended = try await Self.run(
          ["run", "libcurl", "--format", "json", "--shard", "\(part)/4", "-o", "\(part)"],
          environment, folder)
        #expect(ended.status == 0)
        if ended.errors.contains("part \(part) of 4 is empty: ") { empty += 1 }
      }
      #expect(empty == 3)
      let merged = try await Self.run(
        ["merge", "1", "2", "3", "4", "--format", "plain"], environment, folder)
      let whole = try await Self.run(
        ["run", "libcurl", "--format", "plain"], environment, folder)
      #expect(merged.output == whole.output && merged.lines.count == 20)
    }
  }

  @Test func `A tag that only another part asks for is no failure`() async throws {
    try await Networks.with { networks in
      // X needs a credential, so its searches are skipped.
      let environment = networks.anonymous
      let folder = try Folder()
      for part in 1...3 {
        let ended = try await Self.run(
          ["run", "libcurl", "--format", "ndjson", "--shard", "\(part)/3", "-o", "\(part)"],
          environment, folder)
        #expect(ended.status == 0, "\(ended.errors)")
      }
      let merged = try await Self.run(["merge", "1", "2", "3"], environment, folder)
      #expect(merged.status == 0)
      let asked = environment.merging(["SEARCHAGG_SOURCE": "x"]) { $1 }
      _ = try await Self.run(
        ["run", "libcurl", "--format", "ndjson", "--shard", "1/1", "-o", "x"], asked, folder)
      #expect(try await Self.run(["merge", "x"], asked, folder).status == 77)
    }
  }

  // MARK: Examples

  private static var documents: URL {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "docs/shards")
  }

  private static func isInstalled(_ name: String) -> Bool {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains { folder in
      FileManager.default.isExecutableFile(atPath: "\(folder)/\(name)")
    }
  }

  @Test(arguments: ["xargs", "parallel"])
  func `The commands of the guide run as they stand`(tool: String) async throws {
    let guide = try String(
      contentsOf: Self.documents.appending(path: "README.md"), encoding: .utf8)
    let block = try #require(
      guide.components(separatedBy: "```").first { $0.hasPrefix("sh\n") && $0.contains(tool) })
    guard Self.isInstalled(tool) else {
      try Test.cancel("\(tool) is not installed")
    }
    try await Networks.with { networks in
      var environment = Self.environment(networks)
      let folder = try Folder()
      let programs = URL(filePath: Program.searchagg.path).deletingLastPathComponent().path
      let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
      environment["PATH"] = "\(programs):\(path)"
      environment["SEARCHAGG_FORMAT"] = "plain"
      try folder.write(#"{"tags": ["libcurl"]}"#, to: "tags.json")
      let whole = try await Self.run(["run"], environment, folder)
      let ended = try await Program(path: "/bin/sh").run(
        ["-euc", String(block.dropFirst("sh\n".count))], environment: environment, in: folder)
      #expect(ended.output == whole.output && whole.lines.count > 100)
    }
  }

  @Test func `The files for other systems have no mistakes of syntax`() async throws {
    let folder = try Folder()
    let slurm = Self.documents.appending(path: "slurm.sh").path
    let ended = try await Program(path: "/bin/sh").run(["-n", slurm], in: folder)
    #expect(ended.status == 0, "\(ended.errors)")
    let python = Program(path: "/usr/bin/python3")
    guard try await python.run(["-c", "import yaml"], in: folder).status == 0 else {
      try Test.cancel("python3-yaml is not installed")
    }
    for name in ["github-actions.yml", "kubernetes.yml"] {
      let path = Self.documents.appending(path: name).path
      let ended = try await python.run(
        [
          "-c", "import sys, yaml; print(sorted(map(str, yaml.safe_load(open(sys.argv[1])))))",
          path,
        ],
        in: folder)
      #expect(ended.output.contains("jobs") || ended.output.contains("spec"), "\(ended.errors)")
    }
  }
}
