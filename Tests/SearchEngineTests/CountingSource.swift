import FoundationEssentials
import QueuedHTTP
import SearchModel
import SearchSources

/// A network whose answers are numbers: `12 11 10;next` are three posts of those seconds and a
/// cursor; `!` stands for an item that is broken, and `?` for a search that did not look everywhere.
struct CountingSource: Source {
  var name: SourceName = "counting"
  var traits = SourceTraits(
    defaultServer: nil, pageSize: 1...100, credentialNames: ["COUNTING_TOKEN"],
    attribution: "nobody's")
  var hasLogin = false

  func request(for page: PageRequest) throws(Failure) -> HTTPRequest {
    var items = [("q", page.query.text)]
    if let cursor = page.cursor { items.append(("cursor", cursor.rawValue)) }
    if let wanted = page.wanted { items.append(("wanted", String(wanted))) }
    let query = PercentEncoding.query(items.map { (name: $0.0, value: $0.1) })
    var request = HTTPRequest(url: "\(page.server)/?\(query)")
    if let session = page.session { request.headers["Authorization"] = session.accessToken }
    return request
  }

  func page(from response: HTTPResponse, to page: PageRequest) throws(SourceFault) -> Page {
    guard response.status == 200 else {
      throw .failed(Failure(.temporary, status: response.status, message: "answered otherwise"))
    }
    let parts = response.body.text.split(separator: ";", omittingEmptySubsequences: false)
    var result = Page(next: parts.count > 1 ? Cursor(rawValue: String(parts[1])) : nil)
    for word in parts[0].split(separator: " ") {
      if word == "?" {
        result.gap = "not all was searched"
        continue
      }
      guard let number = Double(word) else {
        result.brokenItems += 1
        continue
      }
      result.posts.append(
        Post(
          id: String(word), source: name, server: page.server, uri: "counting:\(word)",
          text: "number \(word)", createdAt: Date(timeIntervalSince1970: number)))
    }
    return result
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

  func isExpired(_ response: HTTPResponse) -> Bool { response.status == 401 }
}
