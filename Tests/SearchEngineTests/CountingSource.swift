import FoundationEssentials
import QueuedHTTP
import SearchModel
import SearchSources
import TestSupport

/// A network whose responses are numbers: `12 11 10;next` are three posts of those seconds and a
/// cursor; `!` is an item that is broken, `?` a search that did not look everywhere, and `>` more posts
/// that cannot be requested. `^10` is a pinned post, `@10` one without a date, and `~` says that this page
/// is in no order. After a second `;` follow the seconds by which the network sorts, if those are others.
struct CountingSource: Source {
  var name: SourceName = "counting"
  var traits = SourceTraits(
    defaultServer: nil, pageSize: 1...100, credentialNames: ["COUNTING_TOKEN"],
    attribution: "nobody's")
  var hasLogin = false
  /// Whether each post links to one of nine pages.
  var sharesLinks = false
  /// The price of each post that responses state.
  var charge: Int?
  /// Called whenever a refusal is read.
  var onRefusal: @Sendable () -> Void = {}
  /// Whether requests are the same for every query and page size.
  var listsAll = false

  func request(for page: PageRequest) throws(Failure) -> HTTPRequest {
    var items = listsAll ? [] : [("q", page.query.text)]
    if let cursor = page.cursor { items.append(("cursor", cursor.rawValue)) }
    if let wanted = page.wanted, !listsAll { items.append(("wanted", String(wanted))) }
    let query = PercentEncoding.query(items.map { (name: $0.0, value: $0.1) })
    var request = HTTPRequest(url: "\(page.server)/?\(query)")
    if let session = page.session { request.headers["Authorization"] = session.accessToken }
    return request
  }

  func page(from response: HTTPResponse, to page: PageRequest) throws(SourceFault) -> Page {
    let parts = response.body.text.split(separator: ";", omittingEmptySubsequences: false)
    var result = Page(next: parts.count > 1 ? Cursor(rawValue: String(parts[1])) : nil)
    if parts.count > 2 {
      result.sortDates = parts[2].split(separator: " ").compactMap {
        Double($0).map(Date.init(timeIntervalSince1970:))
      }
    }
    for word in parts[0].split(separator: " ") {
      if word == "?" {
        result.gap = "not all was searched"
        continue
      }
      if word == ">" {
        result.deadEnd = "the response does not say where more is"
        continue
      }
      if word == "~" {
        result.order = .unordered
        continue
      }
      let mark = word.first { "^@".contains($0) }
      let digits = mark == nil ? word : word.dropFirst()
      guard let number = Double(digits) else {
        result.brokenItems += 1
        continue
      }
      result.posts.append(
        Post(
          id: String(digits), source: name, server: page.server, uri: "counting:\(digits)",
          text: sharesLinks ? "the same news, told by all" : "number \(digits)",
          createdAt: mark == "@" ? nil : Date(timeIntervalSince1970: number),
          links: sharesLinks ? ["https://news.example/\(Int(number) % 9)"] : [],
          isPinned: mark == "^"))
    }
    result.charged = charge.map { $0 * result.posts.count }
    return result
  }

  func pauseEnd(after response: HTTPResponse, now: Date) -> Date? {
    response.headers["Pause"].flatMap(Double.init).map { now.addingTimeInterval($0) }
  }

  func loginRequest(to server: ServerAddress, with credentials: Credentials) -> HTTPRequest? {
    hasLogin ? HTTPRequest(.post, url: "\(server)/login") : nil
  }

  func session(from response: HTTPResponse, to page: PageRequest) throws(SourceFault) -> Session {
    guard response.status == 200 else {
      throw .failed(Failure(.credential, status: response.status, message: "refused"))
    }
    return Session(accessToken: response.body.text)
  }

  func interpret(_ refusal: inout Refusal, of response: HTTPResponse, to page: PageRequest) {
    onRefusal()
    if response.status == 401 { refusal.meaning = .expiredSession }
  }
}
