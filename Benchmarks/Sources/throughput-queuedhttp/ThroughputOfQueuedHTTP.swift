import Measuring
import QueuedHTTP

/// Prints how many small requests per second QueuedHTTP completes.
///
/// With `worker` as the fourth argument, the tasks that send them run on the client's own thread; with
/// `scoped`, each of them moves there for its request alone, and back.
@main
struct ThroughputOfQueuedHTTP {
  static func main() async throws {
    let order = try Order(requests: 20_000, atOnce: 64)
    var configuration = HTTPClient.Configuration()
    configuration.concurrency = order.atOnce
    configuration.perLane = order.atOnce
    let client = HTTPClient(configuration: configuration)
    let executor = order.variant == "worker" ? client.taskExecutor : nil
    let scope = order.variant == "scoped" ? client.taskExecutor : nil
    let rate = try await withTaskExecutorPreference(executor) {
      try await perSecond(order) {
        if let scope {
          try await withTaskExecutorPreference(scope) { try await send(order, client) }
        } else {
          try await send(order, client)
        }
      }
    }
    await client.shutdown()
    print(Int(rate.rounded()))
  }

  private static func send(_ order: Order, _ client: HTTPClient) async throws {
    let response = try await client.send(HTTPRequest(url: order.address))
    precondition(response.status == 200 && response.body.count > 0)
  }
}
