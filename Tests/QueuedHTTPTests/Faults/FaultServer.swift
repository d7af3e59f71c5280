@testable import QueuedHTTP

/// A server with a fault: it answers as it should to requests with a body alone.
final class FaultServer: Sendable {
  let url: String
  /// Where the fault is met.
  let faultURL: String
  private let stop: @Sendable () -> Void

  init(_ fault: ServerFault, _ version: HTTPVersion) throws {
    let refusing = try Listener.bound()
    let port: Int
    let end: @Sendable () -> Void
    if version == .http1, let answer = fault.answer {
      let server = try LoopbackServer { $0.body.isEmpty ? answer : .ok("fine") }
      (port, end) = (server.port, server.close)
    } else {
      let steps = fault.steps ?? []
      let server = try HTTP2Server { $0.body.isEmpty ? steps : HTTP2Step.ok(Array("fine".utf8)) }
      (port, end) = (server.port, server.close)
    }
    url = "http://127.0.0.1:\(port)/fine"
    faultURL = "http://127.0.0.1:\(fault == .refused ? refusing.port : port)/fault"
    stop = {
      end()
      Wire(refusing.socket).close()
    }
  }

  func close() { stop() }
}
