import FoundationEssentials
import Printing
import QueuedHTTP
import SearchModel
import SearchSources
import TextFormats

/// Times the stages of a run, and prints a table; figures are medians of five runs on this machine, so it is the
/// ratios that can be compared.
enum StageBenchmark {
  private static let answerCount = 200
  static let postCount = 100

  static func run() throws {
    var samples = SampleAnswers(seed: 7)
    let answers = (0..<answerCount).map { samples.answer(posts: postCount, number: $0) }
    let megabytes = Double(answers.reduce(0) { $0 + $1.count }) / 1_000_000
    print("\(answerCount) answers of \(postCount) posts, \(Int(megabytes)) MB, one core\n")

    let foundation = try seconds { try decode(answers) }
    let bodies = answers.map { HTTPResponse(status: 200, body: HTTPBody($0)) }
    let parsing = try seconds { try parse(bodies) }
    let valuing = try seconds { try value(bodies) }
    var pages: [Page] = []
    let reading = try seconds { pages = try read(bodies) }
    let hits = try hits(answerCount)
    let hitMegabytes = Double(hits.reduce(0) { $0 + $1.body.count }) / 1_000_000
    let readingHits = try seconds { _ = try read(hits, as: "hackernews") }
    line("JSONDecoder, to values", foundation, megabytes)
    line("simdjson, to its tape", parsing, megabytes, foundation)
    line("simdjson, to values", valuing, megabytes, foundation)
    line("source x, to posts", reading, megabytes, foundation)
    line("source hackernews", readingHits, hitMegabytes)

    let found = pages.map { FoundPosts(tag: "swift", posts: $0.posts) }
    let merge = Merge(now: Date(timeIntervalSince1970: 1_763_800_000))
    var posts: [Post] = []
    let merging = seconds { posts = merge.posts(of: found) }
    print("\n\(posts.count) posts, all cores\n")
    line("merge", merging)
    for format in OutputFormat.allCases {
      let printer = format.printer(style: TextStyle(now: merge.now))
      let printing = seconds {
        printer.write(RunResult(posts: posts[...], now: merge.now)) { _ throws(Never) in }
      }
      line("print as \(format.rawValue)", printing)
    }

    print("\nthe client's queue, ns an operation\n")
    print("   waiting       add     start    cancel")
    for waiting in [1000, 10_000, 100_000] {
      let costs = QueueCurve.costs(waiting: waiting)
      let columns = [costs.add, costs.start, costs.cancel].map { Table.right("\(Int($0))", 10) }
      print(Table.right("\(waiting)", 10) + columns.joined())
    }
  }

  /// Reads answers of Hacker News, so that the instructions of a page can be counted.
  static func readHits(pages: Int) throws {
    let answers = try hits(1)
    for _ in 0..<pages { _ = try read(answers, as: "hackernews") }
  }

  /// Many posts, merged.
  static func posts(of answers: Int, now: Date) throws -> [Post] {
    var samples = SampleAnswers(seed: 7)
    var posts: [Post] = []
    for number in 0..<answers {
      let answer = HTTPResponse(
        status: 200, body: HTTPBody(samples.answer(posts: postCount, number: number)))
      posts += try read([answer]).flatMap(\.posts)
    }
    return Merge(now: now).posts(of: [FoundPosts(tag: "swift", posts: posts)])
  }

  private static func hits(_ count: Int) throws -> [HTTPResponse] {
    var samples = SampleAnswers(seed: 7)
    return (0..<count).map { number in
      HTTPResponse(status: 200, body: HTTPBody(samples.hits(postCount, number: number)))
    }
  }

  private static func decode(_ answers: [[UInt8]]) throws {
    let decoder = JSONDecoder()
    for answer in answers {
      let decoded = try decoder.decode(DecodedAnswer.self, from: Data(answer))
      precondition(decoded.data.count == postCount && decoded.includes.users.count == postCount)
    }
  }

  private static func parse(_ bodies: [HTTPResponse]) throws {
    for response in bodies {
      let isThere = try response.body.withUnsafeBytes { bytes in
        try JSON.read(padded: bytes) { $0["data"] != nil }
      }
      precondition(isThere)
    }
  }

  private static func value(_ bodies: [HTTPResponse]) throws {
    for response in bodies {
      let decoded = try response.body.withUnsafeBytes { bytes in
        try JSON.read(padded: bytes) { DecodedAnswer($0) }
      }
      precondition(decoded?.data.count == postCount && decoded?.includes.users.count == postCount)
    }
  }

  private static func read(_ bodies: [HTTPResponse], as name: String = "x") throws -> [Page] {
    guard let source = Sources.named(name), let query = Query("swift"),
      let server = source.traits.defaultServer.flatMap({ ServerAddress($0) })
    else { preconditionFailure("the source is on the list") }
    let asked = PageRequest(
      source.split(query, with: nil), server: server, now: Date(timeIntervalSince1970: 0))
    return try bodies.map { response in
      let page = try source.page(from: response, to: asked)
      precondition(page.posts.count == postCount && page.brokenItems == 0)
      return page
    }
  }

  /// The median of five runs after one that does not count.
  private static func seconds(_ work: () throws -> Void) rethrows -> Double {
    try work()
    var times: [Double] = []
    for _ in 0..<5 {
      let duration = try ContinuousClock().measure(work)
      times.append(duration / .seconds(1))
    }
    return times.sorted()[2]
  }

  private static func line(
    _ name: String, _ seconds: Double, _ megabytes: Double? = nil, _ baseline: Double? = nil
  ) {
    var text = "  \(name)" + String(repeating: " ", count: max(26 - name.count, 1))
    text += Table.right("\(Int((seconds * 1000).rounded()))", 6) + " ms"
    if let megabytes { text += Table.right("\(Int(megabytes / seconds))", 8) + " MB/s" }
    if let baseline {
      text += Table.right("\(Double(Int(baseline / seconds * 10)) / 10)", 8) + " ×"
    }
    print(text)
  }
}
