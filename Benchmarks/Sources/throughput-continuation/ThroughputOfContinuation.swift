import CCurlLoop
import Glibc
import Measuring

/// Prints how many small requests per second the dutiful C loop completes for Swift tasks.
///
/// What this costs more than the loop alone is the way of each response to its task, and of the next
/// request back: the least that any client costs whose callers run on Swift's default executor.
@main
struct ThroughputOfContinuation {
  static func main() async throws {
    let order = try Order(requests: 20_000, atOnce: 64)
    curl_loop_start(strdup(order.address), Int32(order.atOnce))
    let rate = try await perSecond(order) { await send() }
    print(Int(rate.rounded()))
  }

  private static func send() async {
    await withUnsafeContinuation { (waiter: UnsafeContinuation<Void, Never>) in
      curl_loop_send(unsafeBitCast(waiter, to: UnsafeMutableRawPointer.self)) { waiter in
        unsafeBitCast(waiter, to: UnsafeContinuation<Void, Never>.self).resume()
      }
    }
  }
}
