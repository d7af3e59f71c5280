import FoundationEssentials
import Printing
import QueuedHTTP
import SearchModel
import SearchSources

/// Responses, read by each source and printed in each format.
///
/// The first byte of an input selects the source, the second one the status; the rest is the body.
enum AnswersTarget {
  static let statuses = [200, 200, 200, 400, 401, 403, 404, 422, 429, 500, 503]
  private static let secret = "s3cr3t-t0k3n"
  static let now = Date(timeIntervalSince1970: 1_795_255_200)

  static func read(_ input: [UInt8]) -> Int32 {
    guard input.count >= 2 else { return -1 }
    let source = Sources.all[Int(input[0]) % Sources.all.count]
    let status = statuses[Int(input[1]) % statuses.count]
    let response = HTTPResponse(status: status, body: HTTPBody(input.dropFirst(2)))
    guard var asked = asked else { preconditionFailure("the search is sound") }
    asked.split = source.split(asked.query, with: asked.credentials)
    _ = source.judgement(on: response, to: asked).verdict
    _ = try? source.session(from: response, to: asked)
    // Errors are results, too, and must not contain secrets.
    do {
      let refusal = source.refusal(in: response, to: asked)
      let page = try refusal?.result.get() ?? source.page(from: response, to: asked)
      check(page)
      goOn(asked, with: source, from: page)
    } catch {
      precondition(!"\(error)".contains(secret), "\(error)")
    }
    return 0
  }

  private static let asked: PageRequest? = {
    guard let query = Query("#swift"), let server = ServerAddress("https://example.org") else {
      return nil
    }
    let values = Array(repeating: secret, count: 4)
    return PageRequest(
      QuerySplit(query), server: server, wanted: 40, credentials: Credentials(values), now: now)
  }()

  /// The next page that a page names can be requested.
  private static func goOn(_ asked: PageRequest, with source: any Source, from page: Page) {
    guard let next = page.next else { return }
    var following = asked
    following.cursor = next
    guard let request = try? source.request(for: following) else { return }
    precondition(request.url.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "\(request.url)")
  }

  private static func check(_ page: Page) {
    precondition(page.brokenItems >= 0)
    for post in page.posts { precondition(!post.id.isEmpty && !post.uri.isEmpty) }
    let merge = Merge(now: now)
    let posts = merge.posts(of: [FoundPosts(tag: "#swift", posts: page.posts)])
    for format in OutputFormat.allCases {
      let printer = format.printer(style: TextStyle(now: now))
      checkWords(String(decoding: printer.bytes(of: posts[...], after: nil), as: UTF8.self))
    }
  }

  /// No control codes for terminals.
  private static func checkWords(_ text: String) {
    let isFree = text.unicodeScalars.allSatisfy { scalar in
      switch scalar.value {
      // Line breaks, and the TABs of tables.
      case 0x09, 0x0A, 0x0D: true
      case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069: false
      case _: true
      }
    }
    precondition(isFree, text)
  }
}
