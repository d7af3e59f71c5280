import Foundation
import TestSupport
import Testing

/// `--cache`, with whole processes.
@Suite(.serialized) struct CacheTests {
  private func entries(of folder: Folder, _ name: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder[name]).sorted()
  }

  @Test func `Runs that share a cache folder print the same as without one`() async throws {
    try await Networks.with { networks in
      let folder = try Folder()
      let arguments = ["run", "#swift", "libcurl", "--format", "ndjson"]
      let plain = try await Program.searchagg.run(
        arguments, environment: networks.environment, in: folder)
      #expect(plain.status == 0, "\(plain.errors)")
      #expect(try !folder.names.contains("cache"))
      try await withThrowingTaskGroup { group in
        for _ in 0..<4 {
          group.addTask {
            try await Program.searchagg.run(
              arguments + ["--cache", "cache"], environment: networks.environment, in: folder)
          }
        }
        for try await ended in group {
          #expect(ended.status == 0, "\(ended.errors)")
          #expect(ended.output == plain.output)
        }
      }
      #expect(try folder.mode(of: "cache") == 0o700)
      let names = try entries(of: folder, "cache")
      #expect(names.contains("key"))
      #expect(names.count > 2)
      let secrets = networks.environment.filter { !$0.key.hasPrefix("SEARCHAGG_") }.values
      for name in names {
        #expect(try folder.mode(of: "cache/\(name)") == 0o600)
        let bytes = Array(try Data(contentsOf: URL(filePath: folder["cache/\(name)"])))
        for secret in secrets where secret.count > 7 {
          #expect(bytes.firstRange(of: Array(secret.utf8)) == nil, "\(name)")
        }
      }
    }
  }

  @Test func `A response that repeats the credential is not kept, and any other is`() async throws {
    // The Graph API states the whole address of the next page, with the token in it.
    let token = "THAA/secret+token"
    let spelled = "THAA%2Fsecret%2Btoken"
    let post = #"{"id":"1","text":"kept words","timestamp":"2026-11-20T11:00:00+0000"}"#
    let next = #"https:\/\/graph.example\/search?access_token=\#(spelled)&after=c1"#
    let paging = #"{"cursors":{"after":"c1"},"next":"\#(next)"}"#
    let server = try RecordingServer { path in
      path.contains("after=c1")
        ? (200, #"{"data":[]}"#) : (200, #"{"data":[\#(post)],"paging":\#(paging)}"#)
    }
    defer { server.stop() }
    let folder = try Folder()
    let ended = try await Program.searchagg.run(
      ["run", "words", "--source", "threads", "--no-state", "--cache", "cache"],
      environment: [
        "SEARCHAGG_THREADS_URL": server.address, "THREADS_ACCESS_TOKEN": token,
        "SEARCHAGG_NOW": Networks.now,
      ], in: folder)
    #expect(ended.status == 0, "\(ended.errors)")
    #expect(ended.output.contains("kept words"))
    #expect(server.requests.count == 2)
    var bodies = Data()
    for name in try entries(of: folder, "cache") {
      bodies += try Data(contentsOf: URL(filePath: folder["cache/\(name)"]))
    }
    #expect(bodies.firstRange(of: Data(spelled.utf8)) == nil)
    #expect(bodies.firstRange(of: Data(#"{"data":[]}"#.utf8)) != nil)
  }

  @Test func `--cache on uses the user's own folder, and so does the variable`() async throws {
    try await Networks.with { networks in
      let folder = try Folder()
      for (index, flags) in [[], ["--cache", "on"], ["--cache", "off"]].enumerated() {
        var environment = networks.environment
        environment["XDG_CACHE_HOME"] = folder["\(index)"]
        if index != 1 { environment["SEARCHAGG_CACHE"] = "true" }
        let ended = try await Program.searchagg.run(
          ["run", "#swift", "-v"] + flags, environment: environment, in: folder)
        #expect(ended.status == 0, "\(ended.errors)")
        #expect(ended.errors.contains("cache: 0 fresh, 0 unchanged,") == (index < 2))
      }
      #expect(try folder.mode(of: "0/searchagg") == 0o700)
      #expect(try entries(of: folder, "1/searchagg").contains("key"))
      #expect(try !folder.names.contains("2"))
    }
  }

  @Test func `A cache folder that cannot be used is named and otherwise ignored`() async throws {
    try await Networks.with { networks in
      let folder = try Folder()
      try folder.write("mine", to: "file")
      let ended = try await Program.searchagg.run(
        ["run", "#swift", "--cache", "file"], environment: networks.environment, in: folder)
      #expect(ended.status == 0, "\(ended.errors)")
      #expect(ended.errors.contains("the cache was not used: \(folder["file"])"))
      #expect(try folder.text(of: "file") == "mine")
    }
  }

  @Test func `A configuration file in the current folder cannot set a cache`() async throws {
    try await Networks.with { networks in
      let folder = try Folder()
      try folder.write(#"{"cache": "cache"}"#, to: "searchagg.json")
      let ended = try await Program.searchagg.run(
        ["run", "#swift"], environment: networks.environment, in: folder)
      #expect(ended.status == 0, "\(ended.errors)")
      #expect(ended.errors.contains("'cache' is ignored"))
      #expect(try !folder.names.contains("cache"))
    }
  }

  @Test func `An empty cache folder name is refused`() async throws {
    let ended = try await Program.searchagg.run(["run", "a", "--cache", ""], in: Folder())
    #expect(ended.status == 64)
    #expect(ended.errors.contains("on, off or a folder"))
  }
}
