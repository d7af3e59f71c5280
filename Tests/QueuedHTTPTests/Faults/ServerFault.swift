@testable import QueuedHTTP

/// What a server, or what is in its place, does wrong.
enum ServerFault: String, CaseIterable, Sendable {
  case refused, empty, reset, resetInBody, cut, stall, stallInBody, trickle, badChunk, badFrame
  case headerFlood, redirectLoop, otherScheme, otherSchemeInBody, gzipBomb, nestedGzip
  case brokenGzip, streamReset, streamResetInBody, goAway, silentLargeBody

  /// How the request is to end.
  var code: HTTPError.Code {
    switch self {
    case .refused, .empty, .reset, .streamReset, .goAway: .connection
    case .resetInBody, .cut, .badChunk, .badFrame, .brokenGzip, .streamResetInBody: .brokenAnswer
    case .stall, .stallInBody, .silentLargeBody: .idleTimeout
    case .trickle: .totalTimeout
    case .headerFlood, .gzipBomb, .nestedGzip: .tooLarge
    case .redirectLoop, .otherScheme, .otherSchemeInBody: .redirect
    }
  }

  /// The only limits of time are those that the fault is about.
  var timeouts: Timeouts {
    switch code {
    case .idleTimeout: Timeouts(connect: nil, idle: .milliseconds(150), total: nil)
    case .totalTimeout: Timeouts(connect: nil, idle: nil, total: .milliseconds(400))
    default: .none
    }
  }

  /// No more body bytes may come out, whatever goes in.
  static let bounds = ResponseBounds(bodyBytes: 256 << 10, headerBytes: 32 << 10, redirects: 3)

  private static let piece = [UInt8](repeating: 120, count: 1_000)

  /// What a server does that speaks HTTP/1.1; nil where the fault is none of that version.
  var answer: Answer? {
    let body = Self.piece
    return switch self {
    case .refused: .close
    case .empty: .close
    case .reset: .reset
    case .resetInBody: .rawThenReset(Answer.head(200, ["Content-Length: 5000"]) + body)
    case .cut: .cut(said: 5000, sent: body.count)
    case .stall: .stall
    case .stallInBody: .rawThenStall(Answer.head(200, ["Content-Length: 5000"]) + body)
    case .silentLargeBody:
      .rawThenStall(Answer.head(200, ["Content-Length: 250000", "X: 1"]) + [120])
    case .trickle: .rawThenTrickle(Answer.head(200, ["Content-Length: 250000"]))
    case .badChunk:
      .rawThenClose(
        Answer.head(200, ["Transfer-Encoding: chunked"])
          + Array("3e8\r\n".utf8) + body + Array("\r\nno number\r\n".utf8))
    case .headerFlood: .headerFlood(lines: 2_000)
    case .redirectLoop: .redirect(to: "/again")
    case .otherScheme: .redirect(to: "ftp://127.0.0.1/x")
    case .otherSchemeInBody:
      .status(301, body, headers: ["Location: file:///etc/passwd"])
    case .gzipBomb: .status(200, GzipBomb.gibibyte, headers: ["Content-Encoding: gzip"])
    case .nestedGzip: .status(200, GzipBomb.nested, headers: ["Content-Encoding: gzip, gzip"])
    case .brokenGzip: .status(200, body, headers: ["Content-Encoding: gzip"])
    case .badFrame, .streamReset, .streamResetInBody, .goAway: nil
    }
  }

  /// What a server does that speaks HTTP/2; nil where the fault is none of that version.
  var steps: [HTTP2Step]? {
    let body = HTTP2Step.data(Self.piece)
    let length = ("content-length", "5000")
    return switch self {
    case .refused, .empty: [.close]
    case .reset: [.abort]
    case .resetInBody: [.status(200, [length]), body, .settle, .abort]
    case .cut: [.status(200, [length]), body, .settle, .close]
    case .stall: []
    case .stallInBody: [.status(200, [length]), body]
    case .silentLargeBody: [.status(200, [("content-length", "250000")]), .data([120])]
    case .trickle: [.status(200, [("content-length", "250000")]), .trickle]
    // A window that is widened by nothing (RFC 9113, section 6.9), for all streams at once.
    case .badFrame:
      [
        .status(200, [length]), body, .settle,
        .frame(.windowUpdate, isOfStream: false, [0, 0, 0, 0]),
      ]
    case .headerFlood: [.headerFlood]
    case .redirectLoop: [.head([(":status", "302"), ("location", "/again")], ends: true)]
    case .otherScheme:
      [.head([(":status", "302"), ("location", "ftp://127.0.0.1/x")], ends: true)]
    case .otherSchemeInBody:
      [.status(301, [("location", "file:///etc/passwd")]), .data(Self.piece, ends: true)]
    case .gzipBomb: HTTP2Step.ok(GzipBomb.gibibyte, [("content-encoding", "gzip")])
    case .nestedGzip: HTTP2Step.ok(GzipBomb.nested, [("content-encoding", "gzip, gzip")])
    case .brokenGzip: HTTP2Step.ok(Self.piece, [("content-encoding", "gzip")])
    // INTERNAL_ERROR, once before an answer and once in it.
    case .streamReset: [.resetStream(2)]
    case .streamResetInBody: [.status(200, [length]), body, .settle, .resetStream(2)]
    // ENHANCE_YOUR_CALM, with nothing served.
    case .goAway: [.goAway(last: 0, 11), .close]
    case .badChunk: nil
    }
  }
}
