internal import QueuedHTTP
internal import SearchEngine
internal import SearchSources

/// Follows addresses of web pages to the feeds that they name.
package struct FeedFinder {
  /// The result for one address: the feeds that it names, or what is wrong with it.
  package struct Finding: Sendable {
    package let address: String
    /// The feeds that it names; empty for anything but a web page.
    package var feeds: [String] = []
    package var failure: String?
  }

  private let settings: RunSettings
  private let surroundings: Surroundings

  package init(settings: RunSettings, in surroundings: Surroundings) {
    self.settings = settings
    self.surroundings = surroundings
  }

  /// Fetches addresses concurrently; returns the findings in their order.
  package func findings(at addresses: [String]) async -> [Finding] {
    let client = HTTPClient(configuration: settings.clientConfiguration(in: surroundings))
    let timeout = settings.limits.timeout
    let findings = await withTaskGroup { group in
      for (index, address) in addresses.enumerated() {
        group.addTask { (index, await Self.finding(at: address, timeout: timeout, over: client)) }
      }
      return await group.reduce(into: [Int: Finding]()) { $0[$1.0] = $1.1 }
    }
    await client.shutdown()
    return addresses.indices.compactMap { findings[$0] }
  }

  private static func finding(
    at address: String, timeout: Duration, over client: HTTPClient
  ) async -> Finding {
    // Without a query there is nothing to fetch yet.
    guard !address.contains("{query}") else { return Finding(address: address) }
    let request = HTTPRequest(
      url: address, headers: ["Accept": "text/html, application/xhtml+xml, */*;q=0.5"],
      timeouts: RunLimits.timeouts(timeout), retries: .never,
      bounds: ResponseBounds(bodyBytes: RunLimits.largestResponse))
    do throws(HTTPError) {
      let response = try await client.send(request)
      let base = response.url.isEmpty ? address : response.url
      guard response.isSuccess else {
        return Finding(
          address: address, failure: "the server answered with status \(response.status)")
      }
      let feeds = FeedPage.feeds(namedBy: response, at: base)
      return Finding(
        address: address, feeds: feeds ?? [],
        failure: feeds?.isEmpty == true ? "it is a web page without a link to a feed" : nil)
    } catch {
      return Finding(address: address, failure: "it could not be read: \(error.reason)")
    }
  }
}
