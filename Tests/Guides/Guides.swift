import Dispatch
import QueuedHTTP
import Synchronization

/// Runs the code of one page of the guide: `guides PAGE ADDRESS FOLDER`.
///
/// A line such as `// code 1 of Errors.md` stands for the first piece of Swift on that page, which
/// `DocumentTests` puts there. The rest is what such a piece needs around it.
@main
struct Guides {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 4, let page = pages[arguments[1]] else {
      print("usage: guides PAGE ADDRESS FOLDER")
      return
    }
    try await page(arguments[2], arguments[3])
  }

  typealias Page = @Sendable (_ base: String, _ folder: String) async throws -> Void

  static let pages: [String: Page] = [
    "OperationQueue": operationQueue, "SendOnQueue": sendOnQueue, "ReleaseOnQueue": releaseOnQueue,
    "StartAndStop": startAndStop, "CallAnyService": callAnyService, "Caching": caching,
    "LimitsPaceAndCoolDown": limits, "CallbacksAndCounts": callbacks,
    "WayToTheServer": wayToTheServer, "GettingStarted": gettingStarted, "Errors": errors,
    "DownloadsAndResume": downloads, "Streams": streams, "RetriesAndTimeouts": retries,
    "Interceptors": interceptors,
  ]
}

/// Collects what closures are called with, and lets a test wait for it.
final class Seen: Sendable {
  private let stream = AsyncStream.makeStream(of: String.self)
  private let results = AsyncStream.makeStream(of: String.self)

  /// The completion of a request.
  @Sendable func finish(_ result: Result<HTTPResponse, HTTPError>) {
    switch result {
    case .success(let response): results.continuation.yield("\(response.status)")
    case .failure(let error): results.continuation.yield(error.code.rawValue)
    }
  }

  /// Prints the next results, each different one once.
  func print(_ count: Int) async {
    var ends: [String: Int] = [:]
    var left = count
    for await end in results.stream {
      ends[end, default: 0] += 1
      left -= 1
      if left == 0 { break }
    }
    for (end, count) in ends.sorted(by: { $0.key < $1.key }) { Swift.print("\(count) × \(end)") }
  }
}

/// A serial executor, as callers have their own.
final class QueueExecutor: TaskExecutor {
  private let queue: DispatchQueue

  init(_ queue: DispatchQueue) { self.queue = queue }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
