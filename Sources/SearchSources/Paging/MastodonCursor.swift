internal import QueuedHTTP
internal import SearchModel

/// The position of a page of Mastodon's, and the form in which it is requested.
struct MastodonCursor: Hashable, Sendable {
  /// The form of a search; its raw value is the prefix of a cursor.
  enum Form: String, CaseIterable, Sendable {
    case full = ""
    /// For GoToSocial, see `GoToSocialQuery`.
    case goToSocial = "gotosocial:"
    /// Without operators and dates, which only some software understands.
    case plain = "plain:"
  }

  var form = Form.full
  /// True if the page before it was empty.
  var isBehindEmptyPage = false
  /// The parameters that it adds to the address; empty for the first page.
  var position = ""

  private static let emptyMark = "empty:"

  /// The first page, repeated once the server's software has been asked for.
  static let again = Cursor(rawValue: "again:")

  init(_ form: Form = .full, isBehindEmptyPage: Bool = false, at position: String = "") {
    self.form = form
    self.isBehindEmptyPage = isBehindEmptyPage
    self.position = position
  }

  /// Reads the cursor of a page; nil and `again` are the first page in its full form.
  init(_ cursor: Cursor?) {
    guard let cursor, cursor != Self.again else { return }
    var rest = Substring(cursor.rawValue)
    if let form = Form.allCases.last(where: { rest.hasPrefix($0.rawValue) }) {
      self.form = form
      rest = rest.dropFirst(form.rawValue.count)
    }
    if rest.hasPrefix(Self.emptyMark) {
      isBehindEmptyPage = true
      rest = rest.dropFirst(Self.emptyMark.count)
    }
    position = String(rest)
  }

  var cursor: Cursor {
    Cursor(rawValue: form.rawValue + (isBehindEmptyPage ? Self.emptyMark : "") + position)
  }

  /// The number of posts before a page of a search; 0 if the position does not state one.
  var offset: Int {
    guard position.hasPrefix("offset=") else { return 0 }
    return Int(position.dropFirst("offset=".count)) ?? 0
  }

  /// The page a number of posts further; nil beyond all numbers, as a server may send any.
  func advanced(by posts: Int, isBehindEmptyPage: Bool = false) -> MastodonCursor? {
    let (sum, isBeyond) = offset.addingReportingOverflow(posts)
    return isBeyond
      ? nil : MastodonCursor(form, isBehindEmptyPage: isBehindEmptyPage, at: "offset=\(sum)")
  }

  /// The parameter for the posts older than one.
  static func position(after identifier: String) -> String {
    PercentEncoding.query([("max_id", identifier)])
  }

  /// True if the position was made here of the last post's id, as there was no link to a next page.
  var followsLastPost: Bool { position.hasPrefix("max_id=") && !position.contains("&") }
}
