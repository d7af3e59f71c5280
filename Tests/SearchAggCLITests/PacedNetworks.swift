import Application
import Foundation
import QueuedHTTP
import SearchAggCLI
import SearchEngine
import Synchronization

/// Hacker News and Lobsters, where each tag has posts at its own pace, in virtual time. A server whose
/// name begins with `stalled` takes requests and never answers.
final class PacedNetworks: Transport {
  struct Request: Sendable {
    var moment: Duration
    var tag: Int
  }

  static let begin = Date(timeIntervalSince1970: 1_795_176_000)

  private let time: VirtualTime
  /// The seconds between two posts of a tag.
  private let pace: @Sendable (Int) -> Int
  /// The requests to each host.
  let requests = Mutex<[String: [Request]]>([:])

  init(_ time: VirtualTime, pace: @escaping @Sendable (Int) -> Int) {
    self.time = time
    self.pace = pace
  }

  /// The numbers of the posts of a tag up to a moment, the newest first. Number n is written n paces
  /// after a day before the watch began.
  func posts(of tag: Int, until now: Duration) -> ReversedCollection<Range<Int>> {
    let seconds = Int(now / .seconds(1)) + 86_400
    return (0..<(seconds / pace(tag) + 1)).reversed()
  }

  func date(of post: Int, tag: Int) -> Int {
    Int(Self.begin.timeIntervalSince1970) - 86_400 + post * pace(tag)
  }

  func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
    let now = time.now
    guard let url = URLComponents(string: request.url), let host = url.host else {
      throw HTTPError(.badRequest, reason: "no address")
    }
    let isStory = host == "lobste.rs"
    // /t/tag7/page/2.json
    let parts = url.path.split { !$0.isLetter && !$0.isNumber }
    let page = parts.count > 3 ? Int(parts[3]) ?? 1 : 1
    let name = isStory ? String(parts[1]) : url.queryItems?.first { $0.name == "query" }?.value
    guard let number = Int(name?.filter(\.isNumber) ?? "") else {
      throw HTTPError(.badRequest, reason: "no tag")
    }
    requests.withLock { $0[host, default: []].append(Request(moment: now, tag: number)) }
    if host.hasPrefix("stalled") {
      // Three attempts of 20 s.
      await time.sleep(.seconds(60))
      var timings = Timings()
      timings.connect = .milliseconds(1)
      throw HTTPError(.idleTimeout, reason: "no response", timings: timings)
    }
    let filter = url.queryItems?.first { $0.name == "numericFilters" }?.value ?? ""
    let since = Int(filter.filter(\.isNumber)) ?? 0
    let size = isStory ? 25 : 50
    let posts = posts(of: number, until: now).dropFirst((page - 1) * size).prefix(size)
      .filter { date(of: $0, tag: number) >= since }
    let items = posts.map { post in
      let date = date(of: post, tag: number)
      return isStory
        ? #"{"short_id":"\#(number)-\#(post)","title":"tag\#(number)","created_at":"\#(Date(timeIntervalSince1970: Double(date)).formatted(.iso8601))"}"#
        : #"{"objectID":"\#(number)-\#(post)","title":"tag\#(number)","created_at_i":\#(date)}"#
    }.joined(separator: ",")
    let body = isStory ? "[\(items)]" : #"{"hits":[\#(items)],"nbPages":1}"#
    return HTTPResponse(
      status: 200, headers: ["Content-Type": "application/json"], body: HTTPBody(body.utf8))
  }

  func cancel(group: RequestGroup) {}
  func cancelWaiting(group: RequestGroup) {}
  func beginCancelAll() {}
}

/// Remembers when each line was printed.
final class TimedOutput: OutputStreaming {
  struct Line: Sendable {
    var text: String
    var moment: Duration
  }

  private let time: VirtualTime
  let lines = Mutex<[Line]>([])

  init(_ time: VirtualTime) { self.time = time }

  func write(_ bytes: [UInt8]) throws(OutputFailure) {
    let now = time.now
    let text = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    lines.withLock { $0 += text.map { Line(text: String($0), moment: now) } }
  }
}
