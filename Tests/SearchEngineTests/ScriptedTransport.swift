import QueuedHTTP
import SearchEngine
import Synchronization

/// A transport that responds according to a script.
final class ScriptedTransport: Transport {
  typealias Answer = @Sendable (HTTPRequest) async throws(HTTPError) -> HTTPResponse

  private let answer: Answer
  private let log = Mutex<[HTTPRequest]>([])
  private let cancellations = Mutex(0)
  private let cancelledLog = Mutex<[RequestGroup]>([])
  private let shortenedLog = Mutex<[RequestGroup]>([])
  private let removedLog = Mutex<[HTTPResponse]>([])

  private let onCancelWaiting: @Sendable () -> Void

  init(
    onCancelWaiting: @escaping @Sendable () -> Void = {}, _ answer: @escaping Answer
  ) {
    self.onCancelWaiting = onCancelWaiting
    self.answer = answer
  }

  /// The requests so far, in the order that they were sent.
  var requests: [HTTPRequest] { log.withLock { $0 } }
  var cancelledGroups: [RequestGroup] { cancelledLog.withLock { $0 } }
  /// The groups of which only the waiting requests were canceled.
  var shortenedGroups: [RequestGroup] { shortenedLog.withLock { $0 } }
  /// The responses that were not worth keeping.
  var removed: [HTTPResponse] { removedLog.withLock { $0 } }
  var cancelAllCount: Int { cancellations.withLock { $0 } }

  func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
    var kept = request
    // The judge refers to the engine, which refers to this transport.
    kept.judge = nil
    log.withLock { [kept] in $0.append(kept) }
    return try await answer(request)
  }

  func removeCached(_ response: HTTPResponse) { removedLog.withLock { $0.append(response) } }

  func cancel(group: RequestGroup) { cancelledLog.withLock { $0.append(group) } }

  func cancelWaiting(group: RequestGroup) {
    shortenedLog.withLock { $0.append(group) }
    onCancelWaiting()
  }

  func beginCancelAll() { cancellations.withLock { $0 += 1 } }
}
