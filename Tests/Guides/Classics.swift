import Dispatch
import QueuedHTTP

// The pages for those who know one of the classic wrappers.
extension Guides {
  private static let queue = DispatchQueue(label: "guides")

  @Sendable static func operationQueue(_ base: String, _: String) async throws {
    let tags = ["#swift", "a b"]
    let searches = RequestGroup(rawValue: "searches")
    let seen = Seen()
    @Sendable func show(_ tag: String, _ body: HTTPBody) {
      seen.finish(.success(HTTPResponse(status: 200, body: body)))
    }
    @Sendable func complain(_ tag: String, _ error: HTTPError) { seen.finish(.failure(error)) }
    do {
      // code 1 of OperationQueue.md
      await client.shutdown()
      print(client.counts.done + client.counts.cancelled)
    }
    let client = HTTPClient()
    let (url, tag) = ("\(base)/json", tags[0])
    // code 2 of OperationQueue.md
    await client.shutdown()
  }

  @Sendable static func sendOnQueue(_ base: String, _: String) async throws {
    let client = HTTPClient()
    let canceled = Seen()
    @Sendable func noteCancel() { canceled.finish(.success(HTTPResponse(status: 499))) }
    do {
      let url = "\(base)/unanswered"
      // code 1 of SendOnQueue.md
    }
    await canceled.print(1)
    let url = "\(base)/json"
    // code 2 of SendOnQueue.md
    print(response.status)
    await client.shutdown()
  }

  @Sendable static func releaseOnQueue(_ base: String, _ folder: String) async throws {
    let client = HTTPClient()
    let seen = Seen()
    let (url, path) = ("\(base)/json", "\(folder)/downloaded")
    @Sendable func parse(_ body: HTTPBody) throws { precondition(body.count > 0) }
    @Sendable func finish(_ result: Result<HTTPResponse, HTTPError>) { seen.finish(result) }
    // code 1 of ReleaseOnQueue.md
    await seen.print(1)
    // code 2 of ReleaseOnQueue.md
    print(try await client.send(download).status)
    await client.shutdown()
  }

  @Sendable static func startAndStop(_ base: String, _: String) async throws {
    let client = HTTPClient()
    let seen = Seen()
    let url = "\(base)/unanswered"
    @Sendable func show(_ percent: Double?, _ received: Int) { precondition(received > 0) }
    @Sendable func finish(_ result: Result<HTTPResponse, HTTPError>) { seen.finish(result) }
    // code 1 of StartAndStop.md
    await seen.print(1)
    print(operation.state)
    await client.shutdown()
  }

  @Sendable static func callAnyService(_ base: String, _ folder: String) async throws {
    let client = HTTPClient()
    let seen = Seen()
    let records = (0..<10).map { Array("{\($0)}".utf8) }
    @Sendable func finish(_ result: Result<HTTPResponse, HTTPError>) { seen.finish(result) }
    // code 1 of CallAnyService.md
    await seen.print(10)
    let (url, path) = ("\(base)/echo", "\(folder)/file")
    var count = 0
    // code 2 of CallAnyService.md
    print(count)
    await client.shutdown()
  }
}
