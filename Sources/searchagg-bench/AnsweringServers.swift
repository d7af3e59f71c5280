import FoundationEssentials
import Glibc
import QueuedHTTP
import SearchEngine
import Synchronization

/// Servers that answer at once, and that remember when they were asked: feeds with 20 posts of
/// which one is about a tag alone, and networks that find nothing.
final class AnsweringServers: Transport {
  /// A network with its limit.
  private struct Network {
    let host: String
    let requests: Int
    let span: Duration
    let answer: String
  }

  private static let networks = [
    Network(
      host: "hn.algolia.com", requests: 10_000, span: .seconds(3600), answer: #"{"hits":[]}"#),
    Network(host: "mastodon.social", requests: 300, span: .seconds(300), answer: "[]"),
    Network(host: "lobste.rs", requests: 4, span: .seconds(24), answer: "[]"),
    Network(
      host: "api.stackexchange.com", requests: 20, span: .seconds(1),
      answer: #"{"items":[],"has_more":false}"#),
  ]
  private static let postsOfFeed = 20

  private struct Asked {
    var first: ContinuousClock.Instant?
    /// The time after the first request at which each tag was asked first.
    var tags: [Duration?]
    var networks: [String: [ContinuousClock.Instant]] = [:]
  }

  private let asked: Mutex<Asked>

  init(tags: Int) { asked = Mutex(Asked(tags: Array(repeating: nil, count: tags))) }

  func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
    let now = ContinuousClock.now
    if let network = Self.networks.first(where: { request.url.contains("//\($0.host)/") }) {
      asked.withLock { $0.networks[network.host, default: []].append(now) }
      return Self.response(network.answer)
    }
    guard
      let tag = Int(
        request.url.reversed().prefix { $0.isNumber }.reversed().map(String.init).joined())
    else { throw HTTPError(.badRequest, reason: "no tag") }
    asked.withLock { asked in
      let first = asked.first ?? now
      asked.first = first
      if asked.tags.indices.contains(tag), asked.tags[tag] == nil { asked.tags[tag] = now - first }
    }
    let server = request.url.prefix { $0 != "?" }
    let items = (0..<Self.postsOfFeed).map { post in
      let address = post == 0 ? "\(server)/tag\(tag)" : "\(server)/\(post)"
      return #"{"id":"\#(address)","url":"\#(address)","title":"post \#(post) about many tags","#
        + #""date_published":"2026-11-20T12:00:\#(59 - post)Z"}"#
    }
    return Self.response(
      #"{"version":"https://jsonfeed.org/version/1.1","title":"a","items":[\#(items.joined(separator: ","))]}"#
    )
  }

  private static func response(_ body: String) -> HTTPResponse {
    HTTPResponse(
      status: 200, headers: ["Content-Type": "application/json"], body: HTTPBody(body.utf8))
  }

  /// Prints how many tags were asked and when, the memory of this process, and how often each network was.
  func report(_ tags: Int, since begin: ContinuousClock.Instant) {
    let asked = asked.withLock { $0 }
    let times = asked.tags.compactMap(\.self).sorted()
    guard let first = asked.first, let last = times.last else { return print("nobody was asked") }
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    print(
      "\(tags) tags: the first request after \(Self.seconds(first - begin)) s; \(times.count) asked, "
        + "\(Int(Double(times.count) / max(last / .seconds(1), 0.001))) a second; late by "
        + "\(Self.seconds(times[times.count / 2])) s (median), \(Self.seconds(last)) s (most); "
        + "\(usage.ru_maxrss / 1024) MB")
    for network in Self.networks {
      guard let moments = asked.networks[network.host]?.sorted() else { continue }
      var most = 0
      var start = 0
      for (place, moment) in moments.enumerated() {
        while moments[start] + network.span <= moment { start += 1 }
        most = max(most, place - start + 1)
      }
      print(
        "  \(network.host): \(moments.count) requests, at most \(most) of \(network.requests) in "
          + "\(Int(network.span / .seconds(1))) s")
    }
  }

  private static func seconds(_ time: Duration) -> String {
    let tenths = Int((time / .milliseconds(100)).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }

  func cancel(group: RequestGroup) {}
  func cancelWaiting(group: RequestGroup) {}
  func beginCancelAll() {}
}
