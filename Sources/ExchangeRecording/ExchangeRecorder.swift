package import FoundationEssentials
package import QueuedHTTP
package import SearchEngine
internal import Synchronization
internal import SystemPackage

/// Passes requests on, and writes each exchange to an HTTP archive (HAR 1.2) as it ends.
///
/// The file is its owner's alone (0600) and a complete document after every entry, so that what a run
/// recorded before it was interrupted can be read. Exchanges of secrets (`CachePolicy.ignore`) are not
/// recorded, but for the result of each login: its error, without the request's body, or only that it
/// succeeded.
package final class ExchangeRecorder: Transport {
  private let transport: any Transport
  private let redaction: Redaction
  private let log: HARLog
  private let clock: @Sendable () -> Date
  /// The latest response that asked for a pause, by lane.
  private let pauses = Mutex<[Lane: RecordedExchange.Pause]>([:])
  /// The moments that were recorded for responses which nobody has asked about yet, by body.
  private let arrivals = Mutex<[ObjectIdentifier: Date]>([:])

  /// - Parameters:
  ///   - path: The file to create; its folder must exist.
  ///   - creator: The program and its version, for the archive's `creator`.
  ///   - secrets: Values that must not reach the file.
  package init(
    over transport: any Transport, to path: String, creator: (name: String, version: String),
    redacting redaction: Redaction, clock: @escaping @Sendable () -> Date
  ) throws {
    self.transport = transport
    self.redaction = redaction
    self.clock = clock
    log = try HARLog(creating: path, creator: creator)
  }

  package func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
    let lane = request.lane
    var watched = request
    // The first pause that this request was asked for itself.
    let own = Mutex<RecordedExchange.Pause?>(nil)
    if let judge = request.judge, let lane {
      watched.judge = { [self] response, now in
        let verdict = judge(response, now)
        if case .coolDown = verdict {
          let pause = RecordedExchange.Pause(response: response, moment: now)
          pauses.withLock { $0[lane] = pause }
          own.withLock { $0 = $0 ?? pause }
        }
        return verdict
      }
    }
    let started = clock()
    let result: Result<HTTPResponse, HTTPError>
    do throws(HTTPError) {
      result = .success(try await transport.send(watched))
    } catch {
      result = .failure(error)
    }
    var exchange = RecordedExchange(
      request: .init(
        method: request.method.rawValue, url: request.url, body: request.body ?? []),
      result: result, started: started, arrived: clock())
    exchange.headers = request.headers.fields
    if case .success(let response) = result {
      arrivals.withLock { [arrived = exchange.arrived] in
        $0[ObjectIdentifier(response.body)] = arrived
      }
    }
    exchange.pause = own.withLock { $0 }
    if case .failure(let error) = result, error.code == .coolingDown, let lane {
      exchange.pause = exchange.pause ?? pauses.withLock { $0[lane] }
    }
    if request.cachePolicy == .ignore {
      await log.append(exchange.asLogin(on: lane).entry(redaction: redaction))
    } else {
      await log.append(exchange.entry(redaction: redaction, secretHeaders: request.secretHeaders))
    }
    return try result.get()
  }

  package func arrival(of response: HTTPResponse) -> Date? {
    arrivals.withLock { $0.removeValue(forKey: ObjectIdentifier(response.body)) }
  }

  package func cancel(group: RequestGroup) { transport.cancel(group: group) }

  package func cancelWaiting(group: RequestGroup) { transport.cancelWaiting(group: group) }

  package func beginCancelAll() { transport.beginCancelAll() }

  /// Writes what is left; throws the first error that kept an entry from being written.
  package func finish() async throws {
    try await log.close()
  }
}

/// The file of an archive. Each entry overwrites the end of the document and writes it anew.
private actor HARLog {
  private static let end = Array("\n]}}\n".utf8)

  private let file: FileDescriptor
  private var length: Int64
  private var isEmpty = true
  private var isClosed = false
  private var failure: (any Error)?

  init(creating path: String, creator: (name: String, version: String)) throws {
    let head = Array(
      """
      {"log":{"version":"1.2","creator":{"name":"\(creator.name)","version":"\(creator.version)"},\
      "entries":[
      """.utf8)
    file = try FileDescriptor.open(
      FilePath(path), .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec, .noFollow],
      permissions: .ownerReadWrite)
    do {
      try file.writeAll(toAbsoluteOffset: 0, head + Self.end)
    } catch {
      try? file.close()  // The error that counts is the first one.
      throw error
    }
    length = Int64(head.count)
  }

  deinit {
    // There is no caller to report an error to.
    if !isClosed { try? file.close() }
  }

  func append(_ entry: [UInt8]) {
    guard failure == nil, !isClosed else { return }
    let text = Array((isEmpty ? "\n" : ",\n").utf8) + entry
    do {
      try file.writeAll(toAbsoluteOffset: length, text + Self.end)
      length += Int64(text.count)
      isEmpty = false
    } catch {
      failure = error
    }
  }

  func close() throws {
    guard !isClosed else { return }
    isClosed = true
    try file.close()
    if let failure { throw failure }
  }
}
