import Foundation
import NetworkSimulator
import TestSupport
import Testing

@Suite(.serialized) struct HostileFolderTests {
  @Test func `A file in the current folder cannot set addresses, and no token is sent there`()
    async throws
  {
    try await Networks.with { thief in
      try await Networks.with { networks in
        let folder = try Folder()
        let stolen = thief.simulator.address(of: "x")
        try folder.write(
          #"{"sources": {"x": {"servers": ["\#(stolen)"]}}, "proxy": "\#(stolen)", "limit": 3}"#,
          to: "searchagg.json")
        let ended = try await Program.searchagg.run(
          ["run", "#swift", "--format", "ndjson"], environment: networks.environment, in: folder)
        #expect(ended.status == 0, "\(ended.errors)")
        #expect(ended.errors.contains("'sources' is ignored"))
        #expect(ended.errors.contains("'proxy' is ignored"))
        #expect(ended.lines.count == 4)
        #expect(thief.simulator.counters.requests.isEmpty)
      }
    }
  }

  @Test func `A file named by --config may set addresses`() async throws {
    try await Networks.with { networks in
      let folder = try Folder()
      let address = networks.simulator.address(of: "hackernews")
      try folder.write(
        #"{"sources": {"hackernews": {"servers": ["\#(address)"]}}, "source": "hackernews"}"#,
        to: "mine.json")
      let ended = try await Program.searchagg.run(
        ["run", "#swift", "--config", "mine.json"], in: folder)
      #expect(ended.status == 0, "\(ended.errors)")
      #expect(!networks.simulator.counters.requests.isEmpty)
    }
  }

  @Test func `A credentials file that others can read is refused`() async throws {
    let folder = try Folder()
    let path = try folder.write(
      #"{"X_BEARER_TOKEN": "s3cret"}"#, to: "config/searchagg/credentials.json")
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
    let ended = try await Program.searchagg.run(["run", "a", "--source", "x"], in: folder)
    #expect(ended.status == 78)
    #expect(ended.errors.contains("chmod 600"))
    #expect(!ended.errors.contains("s3cret"))
  }

  @Test func `A token is sent over plain http to loopback only`() async throws {
    let ended = try await Program.searchagg.run(
      ["run", "a", "--source", "x"],
      environment: ["SEARCHAGG_X_URL": "http://192.0.2.1", "X_BEARER_TOKEN": "s3cret"],
      in: Folder())
    #expect(ended.status == 77)
    #expect(ended.errors.contains("https"))
    #expect(!ended.errors.contains("s3cret"))
  }
}
