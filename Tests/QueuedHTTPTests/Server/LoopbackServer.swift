import Glibc
import Synchronization

/// A raw server on 127.0.0.1 that does with each request what its script says.
final class LoopbackServer: Sendable {
  typealias Script = @Sendable (ReceivedRequest) -> Answer

  struct Record: Sendable {
    var requests: [ReceivedRequest] = []
    var connections = 0
    var atOnce = 0
    var mostAtOnce = 0
    var open: Set<Int32> = []
    var isOutOfTime = false
    var waiters:
      [(isDue: @Sendable (Record) -> Bool, continuation: CheckedContinuation<Void, Never>)] =
        []
  }

  let port: Int
  private let socket: Int32
  private let script: Script
  private let record = Mutex(Record())

  init(_ script: @escaping Script) throws {
    self.script = script
    (socket, port) = try Listener.listen()
    Listener.thread { [self] in accept() }
  }

  func url(_ path: String = "/") -> String { "http://127.0.0.1:\(port)\(path)" }

  /// What has been seen so far.
  var seen: Record { record.withLock { $0 } }

  /// The targets asked for, in order.
  var targets: [String] { seen.requests.map(\.target) }

  /// Returns when what has been seen is as wanted, or when the test's time is over.
  func until(_ isDue: @escaping @Sendable (Record) -> Bool) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isNow = record.withLock { record in
          if isDue(record) || record.isOutOfTime { return true }
          record.waiters.append((isDue, continuation))
          return false
        }
        if isNow { continuation.resume() }
      }
    } onCancel: {
      let waiters = record.withLock { record in
        record.isOutOfTime = true
        defer { record.waiters = [] }
        return record.waiters
      }
      for waiter in waiters { waiter.continuation.resume() }
    }
  }

  /// Returns when so many requests have come.
  func arrived(_ count: Int) async { await until { $0.requests.count >= count } }

  /// Returns when no connection is open.
  func isDeserted() async { await until { $0.open.isEmpty } }

  func close() {
    record.withLock { record in
      for connection in record.open { shutdown(connection, Int32(SHUT_RDWR)) }
    }
    shutdown(socket, Int32(SHUT_RDWR))
  }

  private func note(_ change: (inout Record) -> Void) {
    let due = record.withLock { record in
      change(&record)
      let waiters = record.waiters
      record.waiters = waiters.filter { !$0.isDue(record) }
      return waiters.filter { $0.isDue(record) }
    }
    for waiter in due { waiter.continuation.resume() }
  }

  private func accept() {
    while true {
      let connection = Glibc.accept(socket, nil, nil)
      guard connection >= 0 else { break }
      note { record in
        record.connections += 1
        record.open.insert(connection)
      }
      Listener.thread { [self] in serve(connection) }
    }
    Glibc.close(socket)
  }

  private func serve(_ connection: Int32) {
    let stream = ServerStream(connection)
    var count = 0
    while var request = stream.nextRequest() {
      request.earlierOnConnection = count
      count += 1
      note { [request] record in
        record.requests.append(request)
        record.atOnce += 1
        record.mostAtOnce = max(record.mostAtOnce, record.atOnce)
      }
      let goesOn = stream.perform(script(request)) { [self] in note { $0.atOnce -= 1 } }
      guard goesOn else { break }
    }
    // Closed under the lock: before anybody is told, and before the number is given to another.
    note { record in
      record.open.remove(connection)
      Glibc.close(connection)
    }
  }
}
