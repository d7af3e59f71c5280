internal import CCurl

/// A URL that libcurl reads from an easy handle already parsed.
///
/// Given a string instead, libcurl 7.88 parses it for each request and then builds it again from its
/// parts, byte by byte: a sixth of the instructions of a small request. Here, the next request to the
/// same origin changes only path and query, and a direct one not even these: libcurl writes a query twice, byte by
/// byte, but a request's target as it is.
@safe
struct ParsedTarget: ~Copyable {
  // Nil without memory.
  @unsafe private let handle: OpaquePointer?
  /// The origin of the whole URL in the handle; empty if the handle holds no whole URL.
  private var origin = ""
  /// The URL in the handle if it was set without its query; empty otherwise.
  private var beginning = ""

  init() { unsafe handle = curl_url() }

  deinit { unsafe curl_url_cleanup(handle) }

  /// Makes an address that of an easy handle.
  ///
  /// - Parameter isDirect: Whether the server itself reads the request, and no proxy.
  mutating func set(
    _ address: WebAddress, isDirect: Bool, on easy: borrowing EasyHandle
  ) throws(HTTPError) {
    try easy.set(CURLOPT_URL, address.text)
    let beginning =
      isDirect && address.hasPlainQuery ? unsafe parseBeginning(of: address) : nil
    if unsafe beginning == nil {
      try unsafe easy.set(CURLOPT_REQUEST_TARGET, pointer: nil)
    } else {
      try easy.set(CURLOPT_REQUEST_TARGET, address.text, from: address.pathBytes.start)
    }
    let parsed = unsafe beginning ?? parse(address)
    try unsafe easy.set(CURLOPT_CURLU, pointer: UnsafeMutableRawPointer(parsed))
  }

  /// Parses an address; returns the handle for `CURLOPT_CURLU`, or nil if libcurl should read the
  /// string itself.
  @unsafe
  private mutating func parse(_ address: WebAddress) -> OpaquePointer? {
    beginning = ""
    // libcurl drops the mark of an empty query in some versions.
    guard address.isPlain, address.text.utf8.last != UInt8(ascii: "?") else { return nil }
    // libcurl changes the case of percent-encoded bytes in a part, but not in a whole URL.
    if address.origin == origin, !address.isEncoded, setPath(of: address) { return unsafe handle }
    let code = unsafe address.text.withCString {
      unsafe curl_url_set(handle, CURLUPART_URL, $0, 0)
    }
    origin = code == CURLUE_OK ? address.origin : ""
    return unsafe code == CURLUE_OK ? handle : nil
  }

  /// Parses the part of a plain address before its query; returns the handle, or nil if libcurl should read all of
  /// it.
  @unsafe
  private mutating func parseBeginning(of address: WebAddress) -> OpaquePointer? {
    let text = Substring(address.text.utf8.prefix(address.pathBytes.end))
    if text == beginning { return unsafe handle }
    origin = ""
    beginning = String(text)
    let code = unsafe beginning.withCString { unsafe curl_url_set(handle, CURLUPART_URL, $0, 0) }
    if code != CURLUE_OK { beginning = "" }
    return unsafe beginning.isEmpty ? nil : handle
  }

  private func setPath(of address: WebAddress) -> Bool {
    let (start, end) = address.pathBytes
    return unsafe address.text.withCString { text in
      guard unsafe text[end] != 0 else {
        return unsafe curl_url_set(handle, CURLUPART_QUERY, nil, 0) == CURLUE_OK
          && curl_url_set(handle, CURLUPART_PATH, text + start, 0) == CURLUE_OK
      }
      return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: end - start + 1) {
        path in
        unsafe path.baseAddress?.update(from: text + start, count: end - start)
        unsafe path[end - start] = 0
        return unsafe curl_url_set(handle, CURLUPART_PATH, path.baseAddress, 0) == CURLUE_OK
          && curl_url_set(handle, CURLUPART_QUERY, text + end + 1, 0) == CURLUE_OK
      }
    }
  }
}
