internal import CCurl

/// The owner of one of libcurl's easy handles; used on the worker thread alone.
@safe
struct EasyHandle: ~Copyable {
  // Nil where there was no memory: libcurl's functions then answer with an error of their own.
  @unsafe let pointer: UnsafeMutableRawPointer?

  // Where libcurl writes what went wrong, in words.
  private let words = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

  init() {
    unsafe pointer = curl_easy_init()
    unsafe words.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
  }

  deinit {
    unsafe curl_easy_cleanup(pointer)
    unsafe words.deallocate()
  }

  /// Forgets all options; connections, names and TLS sessions belong to the multi handle and stay.
  func reset() {
    if let pointer = unsafe pointer { unsafe curl_easy_reset(pointer) }
  }

  /// Has libcurl write down what goes wrong from now on.
  func keepErrorText() throws(HTTPError) {
    try unsafe set(CURLOPT_ERRORBUFFER, pointer: words)
  }

  /// Forgets what went wrong before.
  func clearErrorText() { unsafe words[0] = 0 }

  /// What went wrong, in libcurl's words; empty where it said nothing.
  var errorText: String { unsafe String(cString: words) }

  /// Lets a paused transfer go on; what came meanwhile is taken in at once, and may be refused.
  func resume() -> CURLcode { unsafe curl_easy_pause(pointer, CURLPAUSE_CONT) }

  func set(_ option: CURLoption, _ value: Int) throws(HTTPError) {
    try check(unsafe ccurl_set_long(pointer, option, value))
  }

  func setOffset(_ option: CURLoption, _ value: Int) throws(HTTPError) {
    try check(unsafe ccurl_set_offset(pointer, option, curl_off_t(value)))
  }

  func set(_ option: CURLoption, _ value: String) throws(HTTPError) {
    // Handed over as it is the text would be copied for it, and libcurl copies it anyway.
    try check(unsafe value.withCString { unsafe ccurl_set_string(pointer, option, $0) })
  }

  func set(_ option: CURLoption, _ list: borrowing HeaderList) throws(HTTPError) {
    try check(unsafe ccurl_set_list(pointer, option, list.pointer))
  }

  /// Gives bytes in place of a file, which libcurl copies.
  func setBlob(_ option: CURLoption, _ text: String) throws(HTTPError) {
    var text = text
    try check(
      text.withUTF8 { bytes in
        unsafe ccurl_set_blob(pointer, option, bytes.baseAddress, bytes.count)
      })
  }

  /// Lets go of what it shares with other handles.
  func leaveShare() { unsafe ccurl_set_pointer(pointer, CURLOPT_SHARE, nil) }

  /// Gives the body to be sent, which libcurl copies.
  func setBody(_ bytes: [UInt8]) throws(HTTPError) {
    try setOffset(CURLOPT_POSTFIELDSIZE_LARGE, bytes.count)
    let code = unsafe bytes.withUnsafeBytes { bytes in
      // With no address libcurl would read the body by callback.
      let empty: StaticString = ""
      let start = unsafe bytes.baseAddress ?? UnsafeRawPointer(empty.utf8Start)
      return unsafe ccurl_set_bytes(pointer, CURLOPT_COPYPOSTFIELDS, start)
    }
    try check(code)
  }

  @unsafe
  func set(_ option: CURLoption, pointer value: UnsafeMutableRawPointer?) throws(HTTPError) {
    try check(unsafe ccurl_set_pointer(pointer, option, value))
  }

  @unsafe
  func setCallbacks(
    write: curl_write_callback, header: curl_write_callback
  ) throws(HTTPError) {
    try check(unsafe ccurl_set_write_callback(pointer, write))
    try check(unsafe ccurl_set_header_callback(pointer, header))
  }

  @unsafe
  func setBodyCallbacks(read: curl_read_callback, seek: curl_seek_callback) throws(HTTPError) {
    try check(unsafe ccurl_set_read_callback(pointer, read))
    try check(unsafe ccurl_set_seek_callback(pointer, seek))
  }

  @unsafe
  func setProgressCallback(_ progress: curl_xferinfo_callback) throws(HTTPError) {
    try check(unsafe ccurl_set_progress_callback(pointer, progress))
  }

  /// Has `ask` called before each time the request is sent, also where libcurl sends it again.
  @unsafe
  func setSendingCallback(
    _ ask: curl_prereq_callback, user: UnsafeMutableRawPointer
  ) throws(HTTPError) {
    try check(unsafe ccurl_set_prereq_callback(pointer, ask))
    try unsafe set(CURLOPT_PREREQDATA, pointer: user)
  }

  /// Has sockets opened and closed by callbacks. The latter are called as long as connections live,
  /// which is longer than this handle does.
  @unsafe
  func setSocketCallbacks(
    open: curl_opensocket_callback, of opener: UnsafeMutableRawPointer,
    close: curl_closesocket_callback, of closer: UnsafeMutableRawPointer
  ) throws(HTTPError) {
    try check(unsafe ccurl_set_open_callback(pointer, open))
    try unsafe set(CURLOPT_OPENSOCKETDATA, pointer: opener)
    try check(unsafe ccurl_set_close_callback(pointer, close))
    try unsafe set(CURLOPT_CLOSESOCKETDATA, pointer: closer)
  }

  /// Has no socket opened.
  @unsafe
  func setNoSocket(_ refuse: curl_opensocket_callback) throws(HTTPError) {
    try check(unsafe ccurl_set_open_callback(pointer, refuse))
  }

  /// A number that libcurl knows of the transfer; 0 if it does not.
  func long(_ info: CURLINFO) -> Int {
    var value = 0
    unsafe ccurl_get_long(pointer, info, &value)
    return value
  }

  /// The same for sizes and, in microseconds, times.
  func offset(_ info: CURLINFO) -> Int {
    var value: curl_off_t = 0
    unsafe ccurl_get_offset(pointer, info, &value)
    return Int(value)
  }

  /// The same for texts; nil if there is none.
  func string(_ info: CURLINFO) -> String? {
    var value: UnsafeMutablePointer<CChar>?
    unsafe ccurl_get_string(pointer, info, &value)
    guard let value = unsafe value else { return nil }
    return unsafe String(cString: value)
  }

  /// The same for lists of texts.
  func strings(_ info: CURLINFO) -> [String] {
    var list: UnsafeMutablePointer<curl_slist>?
    unsafe ccurl_get_list(pointer, info, &list)
    defer { unsafe curl_slist_free_all(list) }
    var strings: [String] = []
    var next = unsafe list
    while let item = unsafe next {
      if let text = unsafe item.pointee.data { strings.append(unsafe String(cString: text)) }
      unsafe next = item.pointee.next
    }
    return strings
  }

  /// The version of HTTP of the last response.
  var protocolVersion: ProtocolVersion? {
    switch long(CURLINFO_HTTP_VERSION) {
    case Int(CURL_HTTP_VERSION_1_0): .http1_0
    case Int(CURL_HTTP_VERSION_1_1): .http1_1
    case Int(CURL_HTTP_VERSION_2_0): .http2
    case Int(CURL_HTTP_VERSION_3): .http3
    case _: nil
    }
  }

  /// The other end of the last connection.
  var endpoint: RemoteEndpoint? {
    guard let host = string(CURLINFO_PRIMARY_IP), !host.isEmpty else { return nil }
    return RemoteEndpoint(host: host, port: long(CURLINFO_PRIMARY_PORT))
  }

  private func check(_ code: CURLcode) throws(HTTPError) {
    guard code != CURLE_OK else { return }
    throw HTTPError(.transport, reason: "libcurl refused an option (\(code.rawValue))")
  }
}

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
      throw HTTPError(.transport, reason: "out of memory for the headers")
    }
    unsafe head = unsafe longer
  }

  /// The list for `EasyHandle.set`; valid as long as this owner.
  @unsafe var pointer: UnsafeMutablePointer<curl_slist>? { unsafe head }
}

/// libcurl as a whole, which wants to be set up once before any thread uses it.
enum CurlGlobal {
  /// Whether libcurl could be set up; asking for it does so.
  static let isReady =
    curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK && RunningWorkers.endAtExit()

  /// Whether HTTP/2 without TLS works on a connection that is there: before 8.0.1 libcurl begins it
  /// anew. https://github.com/curl/curl/pull/10634
  static let reusesPlainHTTP2 =
    unsafe curl_version_info(CURLVERSION_FIRST).pointee.version_num
    >= 0x080001
}
