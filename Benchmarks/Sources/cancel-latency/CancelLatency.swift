import Dispatch
import Measuring
import QueuedHTTP
import Synchronization

/// Times the end of everything: `cancel-latency ADDRESS [QUEUED [ROUNDS]]`.
///
/// In each round 256 requests run, to a server that never answers or a name that is looked up for
/// seconds, and so many wait; then all are cancelled. Two times are taken: until `cancelAll` returns,
/// when no transfer runs and the queue is empty, and from then until the last request was told. After
/// that, those that wait are canceled by a closure, which is timed on the caller's thread.
@main
struct CancelLatency {
  private static let running = 256

  static func main() async throws {
    OwnProcess.raiseDescriptorLimit()
    let order = try Order(requests: 100_000, atOnce: 100)
    var configuration = HTTPClient.Configuration()
    configuration.concurrency = running
    configuration.perLane = running
    let client = HTTPClient(configuration: configuration)
    var endings: [Double] = []
    var tellings: [Double] = []
    for round in 0..<order.atOnce {
      let told = Told(running + order.requests)
      let before = try OwnProcess.descriptors()
      // Those that run are started last: a lookup does not last for ever.
      client.setConcurrency(0)
      for number in 0..<(running + order.requests) {
        start(client, order, "\(round)-\(number)", told)
      }
      client.setConcurrency(running)
      // A socket for each, or a pair of them for a lookup.
      while try OwnProcess.descriptors() < before + running {
        try await Task.sleep(for: .milliseconds(1))
      }
      let counts = client.counts
      precondition(counts.running == running && counts.queued == order.requests)
      let clock = ContinuousClock()
      let start = clock.now
      await client.cancelAll()
      let end = clock.now
      precondition(client.counts.underWay == 0)
      await told.all()
      endings.append((end - start) / .milliseconds(1))
      tellings.append((clock.now - end) / .microseconds(1) / Double(running + order.requests))
    }
    let calls = await timesOfCancel(where: client, order)
    await client.shutdown()
    print(
      "until none runs or waits:\(percentile(50, endings)) ms (median),"
        + "\(percentile(99, endings)) ms (p99); telling one:\(percentile(50, tellings)) µs (median),"
        + "\(percentile(99, tellings)) µs (p99); calling cancel(where:):"
        + "\(percentile(50, calls)) ms (median),\(percentile(99, calls)) ms (p99)")
  }

  /// The milliseconds of processor time that `cancel(where:)` takes on the caller's thread, in each round.
  private static func timesOfCancel(where client: HTTPClient, _ order: Order) async -> [Double] {
    client.setConcurrency(0)
    var times: [Double] = []
    for round in 0..<order.atOnce {
      let told = Told(order.requests)
      for number in 0..<order.requests { start(client, order, "\(round)-\(number)", told) }
      let start = OwnProcess.threadTime()
      client.cancel { $0.lane == Lane(rawValue: "all") }
      times.append(OwnProcess.threadTime() - start)
      await told.all()
    }
    return times
  }

  private static func start(
    _ client: HTTPClient, _ order: Order, _ name: String, _ told: Told
  ) {
    let address = order.address.split(separator: "*").joined(separator: name)
    let request = HTTPRequest(
      url: address, lane: Lane(rawValue: "all"),
      timeouts: Timeouts(connect: nil, idle: nil, total: nil, queue: nil))
    client.enqueue(request, on: told.queue) { result in
      guard case .failure(let error) = result, error.code == .cancelled else {
        preconditionFailure("an end that is no cancellation: \(result)")
      }
      told.note()
    }
  }

  private static func percentile(_ percent: Int, _ values: [Double]) -> String {
    let index = (values.count * percent + 99) / 100 - 1
    return values.sorted()[max(0, index)].right(7, decimals: 2)
  }
}

/// Waits until all requests were told of their end.
private final class Told: Sendable {
  let queue = DispatchQueue(label: "told")
  private let left: Atomic<Int>
  private let ended = DispatchGroup()

  init(_ count: Int) {
    left = Atomic(count)
    ended.enter()
  }

  func note() {
    let before = left.wrappingSubtract(1, ordering: .relaxed).oldValue
    precondition(before > 0, "a request ended twice")
    if before == 1 { ended.leave() }
  }

  func all() async {
    await withCheckedContinuation { waiter in ended.notify(queue: queue) { waiter.resume() } }
  }
}
