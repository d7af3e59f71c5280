internal import CCurl

/// The owner of a list of header lines, which must outlive the transfer that sends them.
@safe
struct HeaderList: ~Copyable {
  private var head: UnsafeMutablePointer<curl_slist>?

  init() { unsafe head = nil }

  deinit { unsafe curl_slist_free_all(head) }

  /// Adds one line in libcurl's notation: `Name: value`, `Name;` for an empty value, `Name:` for
  /// none.
  mutating func append(_ line: String) throws(HTTPError) {
    guard let longer = unsafe curl_slist_append(head, line) else {
      throw HTTPError(.transport, reason: "no memory for the headers")
    }
    unsafe head = unsafe longer
  }

  /// The list for `EasyHandle.set`; valid as long as this owner.
  @unsafe var pointer: UnsafeMutablePointer<curl_slist>? { unsafe head }
}
