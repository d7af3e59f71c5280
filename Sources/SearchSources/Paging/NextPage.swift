internal import QueuedHTTP
internal import SearchModel
internal import TextFormats

/// The continuation of a page.
///
/// A response that names a next page is followed, whatever the page holds: servers filter after paging,
/// so that a page may be short or empty before the last. `SearchState` decides when to give up.
enum NextPage: Hashable, Sendable {
  /// There is nothing more.
  case end
  case at(Cursor)
  /// There is more, beyond a limit of the network or of its source.
  case beyondLimit(String)
  /// There is more, as the response says, but no request leads there.
  case unreachable(String)

  static let unusableCursor = "the response says that there is more, but not where"

  /// Reads a network's own cursor; none, null, `false` and an empty one are the end.
  init(_ token: JSONNode?, _ cursor: (String) -> Cursor = Cursor.init(rawValue:)) {
    guard let token, token.isFilled else {
      self = .end
      return
    }
    if let text = token.spelling, text.utf8.count <= Cursor.longest {
      self = .at(cursor(text))
    } else {
      self = .unreachable(Self.unusableCursor)
    }
  }
}

/// The query string of a next page, as a response states it.
///
/// It is requested on the server that was searched, and never anywhere else. Networks leave out some
/// parameters of the first request, so those are added again.
enum ContinuedQuery {
  /// Returns the query string of an address; nil if it has none, or one that does not fit a request.
  ///
  /// Bytes that are not allowed in an address are percent-encoded.
  static func cursor(_ address: String) -> Cursor? {
    guard address.utf8.count <= Cursor.longest else { return nil }
    var query = Substring(address)
    if let mark = query.firstIndex(of: "?") { query = query[query.index(after: mark)...] }
    if let fragment = query.firstIndex(of: "#") { query = query[..<fragment] }
    guard query.contains("=") else { return nil }
    let letters = query.unicodeScalars.map { letter in
      letter > " " && letter < "\u{7F}" && letter != "\""
        ? String(letter) : PercentEncoding.encode(String(letter))
    }
    return Cursor(rawValue: letters.joined())
  }

  /// Returns the parameters that a query string lacks.
  static func missing(_ parameters: [(String, String)], in query: String) -> [(String, String)] {
    let given = Set(
      query.split(separator: "&").compactMap { part in
        part.split(separator: "=").first.map { name in
          name.replacing("%5B", with: "[").replacing("%5D", with: "]").lowercased()
        }
      })
    return parameters.filter { !given.contains($0.0.lowercased()) }
  }

  /// Returns the value of a parameter in a query string.
  static func value(of name: String, in query: String) -> String? {
    query.split(separator: "&").first { $0.hasPrefix("\(name)=") }.map {
      String($0.dropFirst(name.utf8.count + 1))
    }
  }
}
