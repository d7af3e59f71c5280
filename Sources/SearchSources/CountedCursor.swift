internal import SearchModel

/// A network's own cursor together with the number of items that came before it.
///
/// A search that ends at its network's ceiling looks like one that has found everything: only the
/// number of its items tells the two apart.
struct CountedCursor {
  /// The cursor as the network gave it.
  let token: String
  let count: Int

  init(token: String, count: Int) {
    self.token = token
    self.count = count
  }

  /// Reads a cursor that `cursor` wrote; nil for any other, and for the first page.
  init?(_ cursor: Cursor?) {
    guard let text = cursor?.rawValue, let slash = text.firstIndex(of: "/"),
      let count = Int(text[..<slash]), count >= 0
    else { return nil }
    self.init(token: String(text[text.index(after: slash)...]), count: count)
  }

  var cursor: Cursor { Cursor(rawValue: "\(count)/\(token)") }
}
