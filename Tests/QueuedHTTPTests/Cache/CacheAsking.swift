import QueuedHTTP
import Synchronization

/// What suites need that ask a server through a client with a cache.
protocol CacheAsking {
  var clock: SetClock { get }
}

extension CacheAsking {
  func client(
    _ cache: (any HTTPCache)?, concurrency: Int = 4,
    _ change: (inout HTTPClient.Configuration) -> Void = { _ in }
  ) -> HTTPClient {
    var configuration = HTTPClient.Configuration()
    configuration.cache = cache
    configuration.concurrency = concurrency
    let clock = clock
    configuration.now = { clock.now }
    change(&configuration)
    return HTTPClient(configuration: configuration)
  }

  /// A server whose answers are numbered.
  func numbered(
    _ headers: [String], status: Int = 200
  ) throws -> (server: LoopbackServer, count: Shared<Atomic<Int>>) {
    let count = Shared(Atomic<Int>(0))
    let server = try LoopbackServer { _ in
      let number = count.value.add(1, ordering: .relaxed).newValue
      return .status(status, Array("\(number)".utf8), headers: headers)
    }
    return (server, count)
  }

  func ask(
    _ client: HTTPClient, _ url: String, _ headers: HTTPHeaders = [:],
    _ change: (inout HTTPRequest) -> Void = { _ in }
  ) async throws -> HTTPResponse {
    var request = patient(url: url, headers: headers)
    change(&request)
    return try await client.send(request)
  }
}
