/// A server on 127.0.0.1 that speaks HTTP/2 from the first byte on, and does with each request what
/// its script says.
final class HTTP2Server: Sendable {
  typealias Script = @Sendable (HTTP2Request) -> [HTTP2Step]

  struct Record: Sendable {
    var requests: [HTTP2Request] = []
    var connections = 0
    /// The streams that are open now.
    var atOnce: Int { onConnection.values.reduce(0) { $0 + $1.now } }
    /// The streams of each connection that are open now, and the most that ever were.
    private(set) var onConnection: [Int: (now: Int, most: Int)] = [:]
    /// The streams that the client ended before their time.
    var resets = 0

    mutating func openStream(on connection: Int) {
      var streams = onConnection[connection] ?? (0, 0)
      streams.now += 1
      streams.most = max(streams.most, streams.now)
      onConnection[connection] = streams
    }

    mutating func closeStream(on connection: Int) { onConnection[connection]?.now -= 1 }
  }

  let seen = Watched(Record())
  private let listener: Listener

  var port: Int { listener.port }

  /// - Parameters:
  ///   - streams: How many requests a connection takes at once.
  ///   - window: How many bytes of a request's body are taken without being acknowledged.
  init(
    streams: UInt32 = 100, window: UInt32 = 65_535, acknowledges: Bool = true,
    _ script: @escaping Script
  ) throws {
    let seen = seen
    listener = try Listener { wire in
      let number = seen.change { record in
        record.connections += 1
        return record.connections
      }
      let connection = HTTP2Connection(
        wire, number: number, seen: seen, acknowledges: acknowledges, script: script)
      connection.run(settings: [(3, streams), (4, window)])
    }
  }

  func url(_ path: String = "/") -> String { "http://127.0.0.1:\(port)\(path)" }

  func close() { listener.close() }
}
