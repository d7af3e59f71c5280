import Dispatch
import FoundationEssentials
import QueuedHTTP

extension Guides {
  private struct Post: Codable {
    var title: String
  }

  private struct Watch: RequestObserver {
    func finished(_ request: ObservedRequest, with result: Result<HTTPResponse, HTTPError>) {
      print("request \(request.id) finished")
    }
  }

  @Sendable static func gettingStarted(_ base: String, _ folder: String) async throws {
    let (url, token, path) = ("\(base)/json", "token", "\(folder)/file")
    @Sendable func show(_ text: String) { print(text) }
    do {
      // code 2 of GettingStarted.md
      // code 3 of GettingStarted.md
      // code 4 of GettingStarted.md
      print(try await client.send(request).status)
      await client.shutdown()
    }
    let home = "/home"
    // code 5 of GettingStarted.md
    print(try await client.send(request).status)
    await client.shutdown()
  }

  @Sendable static func errors(_ base: String, _: String) async throws {
    let client = HTTPClient()
    let url = "\(base)/gone"
    @Sendable func show(_ text: String) { print(text) }
    @Sendable func askAgainLater() { print("later") }
    // code 1 of Errors.md
    let urls = ["\(base)/json"]
    // code 2 of Errors.md
    await client.shutdown()
  }

  @Sendable static func downloads(_ base: String, _ folder: String) async throws {
    let client = HTTPClient()
    let (url, path) = ("\(base)/json", "\(folder)/downloaded")
    @Sendable func draw(_ percent: Double) { precondition(percent == 100) }
    // code 1 of DownloadsAndResume.md
    // code 2 of DownloadsAndResume.md
    print(response.status, again.status)
    await client.shutdown()
  }

  @Sendable static func streams(_ base: String, _: String) async throws {
    let client = HTTPClient()
    let url = "\(base)/events"
    func show(_ text: Substring) { print(text) }
    // code 1 of Streams.md
    // code 2 of Streams.md
    print(body.count)
    await client.shutdown()
  }

  @Sendable static func retries(_ base: String, _: String) async throws {
    let client = HTTPClient()
    let (url, order) = ("\(base)/sometimes", Array("{}".utf8))
    // code 1 of RetriesAndTimeouts.md
    print(try await client.send(request).timings.attempts)
    await client.shutdown()
  }

  @Sendable static func interceptors(_ base: String, _: String) async throws {
    let login = HTTPClient()
    // code 1 of Interceptors.md
    print(try await client.send(HTTPRequest(url: "\(base)/private")).body.text)
    // code 2 of Interceptors.md
    configuration.interceptor = Stamp()
    let stamping = HTTPClient(configuration: configuration)
    print(try await stamping.send(HTTPRequest(.post, url: "\(base)/stamp")).body.text)
    for client in [login, client, stamping] { await client.shutdown() }
  }

  @Sendable static func caching(_ base: String, _ folder: String) async throws {
    let (url, folder) = ("\(base)/etag", "\(folder)/cache")
    func show(_ response: HTTPResponse) { print("fresh", response.origin) }
    func showForNow(_ response: HTTPResponse) { print("old", response.origin) }
    for _ in 1...2 {
      // code 1 of Caching.md
      // code 2 of Caching.md
      print(newest.origin, kept.origin)
      await client.shutdown()
    }
    // code 3 of Caching.md
    print(configuration.joinsEqualRequests)
  }

  @Sendable static func limits(_ base: String, _: String) async throws {
    let url = "\(base)/quota"
    func show(_ response: HTTPResponse) { print(response.status) }
    func postpone(_ moment: Date) { print("postponed") }
    // code 1 of LimitsPaceAndCoolDown.md
    // code 2 of LimitsPaceAndCoolDown.md
    for _ in 1...2 {
      // code 3 of LimitsPaceAndCoolDown.md
    }
    await client.shutdown()
  }

  @Sendable static func callbacks(_ base: String, _: String) async throws {
    let client = HTTPClient()
    let url = "\(base)/json"
    let executor = QueueExecutor(DispatchQueue(label: "guides"))
    let seen = Seen()
    func draw(_ fraction: Double, _ underWay: Int, _ bytes: Int) {
      print(fraction, underWay, bytes)
    }
    @Sendable func show(_ percent: Double) { precondition(percent == 100) }
    @Sendable func finish(_ result: Result<HTTPResponse, HTTPError>) { seen.finish(result) }
    // code 1 of CallbacksAndCounts.md
    await seen.print(1)
    await client.shutdown()
    // code 2 of CallbacksAndCounts.md
  }

  @Sendable static func wayToTheServer(_ base: String, _: String) async throws {
    let (url, key) = ("\(base)/json", "secret")
    // code 1 of WayToTheServer.md
    // code 2 of WayToTheServer.md
    // code 3 of WayToTheServer.md
    print(try await client.send(request).status)
    await client.shutdown()
    let (authorityPEM, certificatePEM, keyPEM) = ("authority", "certificate", "key")
    // code 4 of WayToTheServer.md
    print(local.nameOverrides.map(\.host), strict.minimumTLSVersion == .tls1_3)
  }
}
