import AsyncHTTPClient
import Measuring
import NIOCore
import NIOHTTP1

/// Prints how many small requests a second AsyncHTTPClient brings home.
@main
struct ThroughputOfAsyncHTTPClient {
  static func main() async throws {
    let order = try Order(requests: 20_000, atOnce: 64)
    var configuration = HTTPClient.Configuration()
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = order.atOnce
    let client = HTTPClient(
      eventLoopGroupProvider: .singleton, configuration: configuration)
    let rate = try await perSecond(order) {
      let response = try await client.execute(
        HTTPClientRequest(url: order.address), timeout: .seconds(60))
      let body = try await response.body.collect(upTo: 1 << 20)
      precondition(response.status == .ok && body.readableBytes > 0)
    }
    try await client.shutdown()
    print(Int(rate.rounded()))
  }
}
