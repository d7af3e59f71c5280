import Foundation
import NetworkSimulator
import TestSupport
import Testing

@Suite(.serialized) struct StreamTests {
  /// Runs a line of shell, in which `$SEARCHAGG` is the program.
  private func shell(
    _ line: String, _ networks: Networks, in folder: Folder
  ) async throws -> Program.Ended {
    var environment = networks.environment
    environment["SEARCHAGG"] = Program.searchagg.path
    return try await Program(path: "/bin/sh").run(
      ["-c", line], environment: environment, in: folder)
  }

  @Test func `With standard output closed a run writes nothing elsewhere and exits with 74`()
    async throws
  {
    try await Networks.with { networks in
      // Were its number free, the first socket would get it, and the posts with it.
      let line = "\"$SEARCHAGG\" run '#swift' --source hackernews >&-"
      let ended = try await shell(line, networks, in: Folder())
      #expect(ended.status == 74)
      let reason = "cannot write the output: it is closed (>&-)"
      #expect(ended.errors == "searchagg: \(reason)\n")
      #expect(networks.simulator.counters.requests.count == 1)
    }
  }

  @Test func `With standard input and standard error closed a run prints what it found`()
    async throws
  {
    try await Networks.with { networks in
      let line = "\"$SEARCHAGG\" run '#swift' --source hackernews --format ndjson <&- 2>&-"
      let ended = try await shell(line, networks, in: Folder())
      #expect(ended.status == 0)
      #expect(try ended.objects.last?["incomplete"] as? Bool == false)
    }
  }

  @Test(arguments: [">/dev/full", "--output /dev/full", "--output /no/such/folder/file", "-o ."])
  func `An output that cannot be written exits with 74 and one line`(redirection: String)
    async throws
  {
    try await Networks.with { networks in
      let line = "\"$SEARCHAGG\" run '#swift' --source hackernews \(redirection)"
      let ended = try await shell(line, networks, in: Folder())
      #expect(ended.status == 74)
      #expect(ended.errors.split(separator: "\n").count == 1, "\(ended.errors)")
      #expect(ended.output == "")
    }
  }

  @Test func `An output file that cannot be written is detected before any request`()
    async throws
  {
    try await Networks.with { networks in
      let ended = try await Program.searchagg.run(
        ["run", "#swift", "-o", "missing/file"], environment: networks.environment, in: Folder())
      #expect(ended.status == 74)
      #expect(ended.errors == "searchagg: missing/file: its folder does not exist\n")
      #expect(networks.simulator.counters.requests.isEmpty)
    }
  }

  @Test func `An output file is replaced as a whole, and a dash is standard output`() async throws {
    try await Networks.with { networks in
      let folder = try Folder()
      try folder.write("old", to: "posts.ndjson", mode: 0o640)
      let arguments = ["run", "#swift", "--source", "hackernews", "--format", "ndjson", "-o"]
      let filed = try await Program.searchagg.run(
        arguments + ["posts.ndjson"], environment: networks.environment, in: folder)
      #expect(filed.status == 0, "\(filed.errors)")
      #expect(filed.output == "")
      let printed = try await Program.searchagg.run(
        arguments + ["-"], environment: networks.environment, in: folder)
      #expect(try folder.text(of: "posts.ndjson") == printed.output)
      #expect(try folder.mode(of: "posts.ndjson") == 0o640)
      #expect(try folder.names == ["posts.ndjson"])
    }
  }

  @Test func `An output file is replaced only when a search was answered`() async throws {
    try await Networks.with { networks in
      let folder = try Folder()
      try folder.write("old", to: "posts.txt")
      let environment = networks.environment(faults: ["hackernews": "~status=500"])
      let arguments = ["run", "#swift", "--retries", "0", "-o", "posts.txt", "--source"]
      let failed = try await Program.searchagg.run(
        arguments + ["hackernews"], environment: environment, in: folder)
      #expect(failed.status == 75)
      #expect(
        failed.errors.contains("searchagg: posts.txt was not changed: no search was answered\n"))
      #expect(try folder.text(of: "posts.txt") == "old")
      #expect(try folder.names == ["posts.txt"])
      let partial = try await Program.searchagg.run(
        arguments + ["hackernews,x"], environment: environment, in: folder)
      #expect(partial.status == 2)
      #expect(try folder.text(of: "posts.txt").contains("  x  "))
    }
  }

  @Test func `--quiet still prints failures, and why nothing was answered`() async throws {
    try await Networks.with { networks in
      var environment = networks.environment(faults: ["x": "~status=500"])
      let arguments = ["run", "#swift", "-q", "--retries", "0", "--source"]
      let partial = try await Program.searchagg.run(
        arguments + ["x,hackernews"], environment: environment, in: Folder())
      #expect(partial.status == 2)
      #expect(partial.errors.contains("500"))
      environment["X_BEARER_TOKEN"] = nil
      let skipped = try await Program.searchagg.run(
        arguments + ["x,hackernews"], environment: environment, in: Folder())
      #expect(skipped.status == 0)
      #expect(skipped.errors == "")
      let nothing = try await Program.searchagg.run(
        arguments + ["x"], environment: environment, in: Folder())
      #expect(nothing.status == 77)
      #expect(nothing.errors.contains("X_BEARER_TOKEN"))
    }
  }
}
