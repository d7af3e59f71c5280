import Foundation
import TestSupport
import Testing

/// Runs whose state is damaged, cannot be written, or is from a later version: one clear line, the same
/// output, and never a crash.
@Suite(.serialized) struct DamagedStateTests {
  /// The ways in which a state can be unusable.
  enum Damage: String, CaseIterable, Sendable {
    case garbage, truncated, halved, scribbled, newer, folder
  }

  private static let runs: [[String]] = [
    [], ["--new"], ["--expect-within", "9d"], ["--alert-over", "3"],
    ["--backfill", "--since", "2026-11-18"], ["--offline"],
  ]

  private func environment(_ networks: Networks) -> [String: String] {
    networks.withHistory.merging(["SEARCHAGG_SOURCE": "hackernews,lobsters"]) { $1 }
  }

  /// A state that runs have filled, in one file.
  private func fill(_ folder: Folder, _ networks: Networks) async throws -> Data {
    for options in [[], ["--new"]] {
      let ended = try await Program.searchagg.run(
        ["run", "plenty", "--since", "2026-11-10", "--fail-on", "none", "--state", "good.db"]
          + options, environment: environment(networks), in: folder)
      #expect(ended.status == 0, "\(ended.errors)")
    }
    return try Data(contentsOf: URL(filePath: folder["good.db"]))
  }

  private func damage(_ good: Data, _ damage: Damage, in folder: Folder) throws {
    let file = URL(filePath: folder["state.db"])
    for suffix in ["", "-wal", "-shm", ".damaged-1"] {
      try? FileManager.default.removeItem(atPath: folder["state.db\(suffix)"])
    }
    var bytes = good
    switch damage {
    case .garbage: bytes = Data(repeating: 0x03, count: 9000)
    case .truncated: bytes = good.prefix(700)
    case .halved: bytes = good.prefix(good.count / 2)
    case .scribbled:
      for place in stride(from: 4096, to: good.count, by: 512) { bytes[place] = 0xFF }
    case .newer: bytes[63] = 99
    case .folder:
      try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
      return
    }
    try bytes.write(to: file)
  }

  @Test(arguments: Damage.allCases)
  func `A damaged state costs one line, whatever the run wants of it`(kind: Damage) async throws {
    try await Networks.with { networks in
      let folder = try Folder()
      let good = try await fill(folder, networks)
      for options in Self.runs {
        let arguments = ["run", "#swift", "--format", "ndjson"] + options
        let plain = try await Program.searchagg.run(
          arguments + ["--state", "none.db"], environment: environment(networks), in: Folder())
        try damage(good, kind, in: folder)
        let before = try? Data(contentsOf: URL(filePath: folder["state.db"]))
        let ended = try await Program.searchagg.run(
          arguments + ["--state", "state.db"], environment: environment(networks), in: folder)
        #expect(ended.signal == nil)
        // What could not be remembered is printed again by the next run with --new, and alerts need what was.
        let isForgotten =
          ["--new", "--expect-within", "--alert-over"].contains(options.first)
          && [.newer, .folder].contains(kind)
        #expect(ended.status == (isForgotten ? 74 : plain.status), "\(options): \(ended.errors)")
        #expect(ended.output == plain.output, "\(options): \(ended.errors)")
        let lines = ended.errors.split(separator: "\n").filter { $0.contains("state.db") }
        #expect(lines.count == 1, "\(options): \(ended.errors)")
        if kind == .folder || kind == .newer {
          #expect(try folder.names.filter { $0.contains("damaged") }.isEmpty)
          if let before {
            #expect(try Data(contentsOf: URL(filePath: folder["state.db"])) == before)
          }
        } else {
          #expect(
            try Data(contentsOf: URL(filePath: folder["state.db.damaged-1"])) == before,
            "\(options): \(ended.errors)")
        }
      }
    }
  }

  @Test(arguments: [Damage.garbage, .scribbled, .newer])
  func `Commands that only look into a damaged state say so in one line`(kind: Damage) async throws
  {
    try await Networks.with { networks in
      let folder = try Folder()
      let good = try await fill(folder, networks)
      try folder.write(#"{"tags": ["plenty"]}"#, to: "tags.json")
      for command in [
        ["history", "list"], ["history", "search", "plenty"], ["history", "stats"],
        ["history", "prune", "--older", "1d"], ["state", "forget"], ["tags", "list"],
        ["run", "--retry-failed"],
      ] {
        try damage(good, kind, in: folder)
        let ended = try await Program.searchagg.run(
          command + ["--state", "state.db"], environment: environment(networks), in: folder)
        #expect(ended.signal == nil)
        #expect(ended.status != 70, "\(command): \(ended.errors)")
        let lines = ended.errors.split(separator: "\n").filter { $0.contains("state.db") }
        // Not every command reads every page.
        #expect(lines.count == 1 || kind == .scribbled && lines.isEmpty, "\(ended.errors)")
        if command == ["tags", "list"] { #expect(ended.output.contains("plenty")) }
      }
    }
  }

  /// Runs a command in a mount namespace of its own, in which a folder is mounted.
  private func mounted(
    _ mount: String, _ arguments: [String], _ networks: Networks, in folder: Folder
  ) async throws -> Program.Ended {
    let script = "\(mount) && exec \"$@\""
    return try await Program(path: "/usr/bin/unshare").run(
      ["--mount", "/bin/sh", "-c", script, "sh", Program.searchagg.path] + arguments,
      environment: environment(networks), in: folder)
  }

  /// True if this user may mount folders.
  private static var canMount: Bool {
    get async {
      guard let folder = try? Folder() else { return false }
      let ended = try? await Program(path: "/usr/bin/unshare").run(
        ["--mount", "mount", "-t", "tmpfs", "none", folder.path], in: folder)
      return ended?.status == 0
    }
  }

  @Test(.enabled { await canMount }, arguments: ["file", "folder", "full"])
  func `A state that cannot be written costs one line`(kind: String) async throws {
    try await Networks.with { networks in
      let folder = try Folder()
      let good = try await fill(folder, networks)
      for options in [[], ["--new"], ["--expect-within", "9d"]] {
        let arguments = ["run", "#swift", "--format", "ndjson"] + options
        let plain = try await Program.searchagg.run(
          arguments + ["--state", "none.db"], environment: environment(networks), in: Folder())
        try? FileManager.default.removeItem(atPath: folder["state"])
        try FileManager.default.createDirectory(
          atPath: folder["state"], withIntermediateDirectories: true)
        try good.write(to: URL(filePath: folder["state/state.db"]))
        let mount =
          switch kind {
          case "file":
            "mount --bind state/state.db state/state.db && mount -o remount,ro,bind state/state.db"
          case "folder": "mount --bind state state && mount -o remount,ro,bind state"
          default:
            "cp state/state.db good && mount -t tmpfs -o size=$(($(stat -c %s good) + 8192)) none state"
              + " && cp good state/state.db"
          }
        let ended = try await mounted(
          mount, arguments + ["--state", "state/state.db"], networks, in: folder)
        #expect(ended.signal == nil)
        // What could not be remembered is printed again by the next run with --new, and alerts need what was.
        #expect(ended.status == (options.isEmpty ? 0 : 74), "\(options): \(ended.errors)")
        if options != ["--new"] { #expect(ended.output == plain.output) }
        #expect(ended.output.hasSuffix("}\n"))
        let lines = ended.errors.split(separator: "\n").filter { $0.contains("state.db") }
        #expect(lines.count == 1, "\(options): \(ended.errors)")
        if options.isEmpty, let line = lines.first {
          #expect(line.hasSuffix("; not all of this run was kept"), "\(line)")
        }
      }
    }
  }

  @Test(.enabled { await canMount })
  func `A state on a read-only file system is not called damaged or missing`() async throws {
    try await Networks.with { networks in
      let folder = try Folder()
      for command in [["run", "#swift"], ["history", "stats"]] {
        let made = try await Program.searchagg.run(
          command + ["--state", "state/state.db"], environment: environment(networks), in: folder)
        #expect(made.status == 0)
      }
      let listed = try await mounted(
        "mount --bind state state && mount -o remount,ro,bind state",
        ["history", "list", "--state", "state/state.db"], networks, in: folder)
      #expect((listed.status, listed.output) == (66, ""), "\(listed.errors)")
      #expect(
        listed.errors.hasSuffix(
          "/state.db: cannot be read without write permission\n"))
    }
  }

  @Test(.enabled { await canMount })
  func `A recording that fills the disk can be replayed as far as it goes`()
    async throws
  {
    try await Networks.with { networks in
      let folder = try Folder()
      let script = """
        mkdir small && mount -t tmpfs -o size=100k none small
        "$0" run swift rust linux --source mastodon,hackernews --per-search 100 \\
          --record small/recording --quiet > all
        echo "status $?" >&2
        exec "$0" run --replay small/recording --quiet
        """
      let replayed = try await Program(path: "/usr/bin/unshare").run(
        ["--mount", "/bin/sh", "-c", script, Program.searchagg.path],
        environment: environment(networks), in: folder)
      let errors = replayed.errors
      #expect(
        errors.hasPrefix(
          "searchagg: the recording is incomplete: No space left on device\nstatus 74\n"))
      #expect(errors.contains("not in the recording"), "\(errors)")
      #expect(replayed.status == 2)
      let posts = Set(replayed.output.split(separator: "\n"))
      #expect(!posts.isEmpty)
      #expect(posts.isSubset(of: try folder.text(of: "all").split(separator: "\n")))
    }
  }

  @Test func `A limit on the size of files costs one line`() async throws {
    try await Networks.with { networks in
      for options in [[], ["--new"]] {
        let folder = try Folder()
        let ended = try await Program(path: "/bin/sh").run(
          [
            "-c", "ulimit -f 16; exec \"$@\"", "sh", Program.searchagg.path, "run", "#swift",
            "--format", "plain", "-n", "5", "--state", "state.db",
          ] + options, environment: environment(networks), in: folder)
        #expect(ended.signal == nil)
        #expect(ended.status == (options.isEmpty ? 0 : 74), "\(ended.errors)")
        #expect(ended.lines.count == 5)
        #expect(
          ended.errors.split(separator: "\n").filter { $0.contains("state.db") }.count == 1,
          "\(ended.errors)")
      }
    }
  }
}
