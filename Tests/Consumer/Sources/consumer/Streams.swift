import FoundationEssentials
import QueuedHTTP

extension Consumer {
  /// Downloads a file, tells how far it is, and goes on where an earlier run was killed.
  @Sendable static func download(_ base: String, _ file: String) async throws {
    let client = HTTPClient()
    let request = HTTPRequest(
      url: "\(base)/file", destination: .file(path: file, resumes: true))
    let response = try await client.send(request, progressThreshold: 10) { progress in
      OwnProcess.write("received \(progress.received)\n")
    }
    print("done", response.status)
  }

  /// Reads server-sent events line by line.
  @Sendable static func lines(_ base: String, _: String) async throws {
    let client = HTTPClient()
    let response = try await client.stream(HTTPRequest(url: "\(base)/events"))
    for try await line in response.lines where line.hasPrefix("data: ") {
      print(line.dropFirst(6))
    }
  }

  /// Shows what is kept, and then what is new.
  @Sendable static func cachedThenFresh(_ base: String, _ folder: String) async throws {
    var configuration = HTTPClient.Configuration()
    configuration.cache = DiskCache(folder: folder)
    let client = HTTPClient(configuration: configuration)
    for _ in 1...2 {
      for try await response in client.responses(for: HTTPRequest(url: "\(base)/news")) {
        print(response.origin, response.body.text)
      }
    }
  }
}
