import Testing

@testable import QueuedHTTP

/// One field of the matrix: a fault, by a version of HTTP, with the body to one place.
struct FaultCase: Sendable, CustomTestStringConvertible {
  enum Place: String, CaseIterable, Sendable { case memory, stream, file }

  let fault: ServerFault
  let version: HTTPVersion
  let place: Place

  var testDescription: String { "\(fault) \(version) \(place)" }

  static let all = ServerFault.allCases.flatMap { fault in
    [HTTPVersion.http1, .http2].flatMap { version in
      Place.allCases.compactMap { place in
        (version == .http1 ? fault.answer == nil : fault.steps == nil)
          ? nil : FaultCase(fault: fault, version: version, place: place)
      }
    }
  }

  /// Asks a server with this fault; returns the error, and how many bytes came before.
  func meet(_ client: HTTPClient, at url: String, file: String) async
    -> (error: HTTPError?, received: Int)
  {
    var request = patient(
      url: url, timeouts: fault.timeouts, retries: .never, bounds: ServerFault.bounds)
    var received = 0
    do throws(HTTPError) {
      switch place {
      case .memory: received = try await client.send(request).body.count
      case .file:
        request.destination = .file(path: file)
        received = try await client.send(request).timings.bytesDecoded
      case .stream:
        for try await piece in try await client.stream(request).body { received += piece.count }
      }
      return (nil, received)
    } catch { return (error, received) }
  }
}
