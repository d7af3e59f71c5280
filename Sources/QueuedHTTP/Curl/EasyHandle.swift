internal import CCurl

/// The owner of one of libcurl's easy handles; used by one thread at a time.
@safe
struct EasyHandle: ~Copyable {
  // Nil without memory: libcurl's functions then return an error.
  @unsafe let pointer: UnsafeMutableRawPointer?

  // libcurl writes a description of errors here.
  private let errorBuffer = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

  init() {
    unsafe pointer = curl_easy_init()
    unsafe errorBuffer.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
  }

  deinit {
    unsafe curl_easy_cleanup(pointer)
    unsafe errorBuffer.deallocate()
  }

  /// Resets all options; connections, names and TLS sessions belong to the multi handle and stay.
  func reset() {
    if let pointer = unsafe pointer { unsafe curl_easy_reset(pointer) }
  }

  /// Makes libcurl keep a description of errors.
  func keepErrorText() throws(HTTPError) {
    try unsafe set(CURLOPT_ERRORBUFFER, pointer: errorBuffer)
  }

  /// Clears the description of the last error.
  func clearErrorText() { unsafe errorBuffer[0] = 0 }

  /// The last error in libcurl's words; empty if there is none.
  var errorText: String { unsafe String(cString: errorBuffer) }

  /// Continues a paused transfer; data that arrived meanwhile is delivered at once, and may be refused.
  func resume() -> CURLcode { unsafe curl_easy_pause(pointer, CURLPAUSE_CONT) }

  func set(_ option: CURLoption, _ value: Int) throws(HTTPError) {
    try check(unsafe ccurl_set_long(pointer, option, value))
  }

  func setOffset(_ option: CURLoption, _ value: Int) throws(HTTPError) {
    try check(unsafe ccurl_set_offset(pointer, option, curl_off_t(value)))
  }

  func set(_ option: CURLoption, _ value: String) throws(HTTPError) {
    // Passing the string itself would copy it, and libcurl copies it anyway.
    try check(unsafe value.withCString { unsafe ccurl_set_string(pointer, option, $0) })
  }

  /// Sets the part of a string from a byte on.
  func set(_ option: CURLoption, _ value: String, from start: Int) throws(HTTPError) {
    try check(unsafe value.withCString { unsafe ccurl_set_string(pointer, option, $0 + start) })
  }

  /// Sets the size of the buffer for received data, in bytes, unless there is a buffer already.
  func setBuffer(_ size: Int) throws(HTTPError) {
    let code = unsafe ccurl_set_long(pointer, CURLOPT_BUFFERSIZE, size)
    // A redirect on a connection that others use, too, keeps the buffer of the hop before.
    if code != CURLE_BAD_FUNCTION_ARGUMENT { try check(code) }
  }

  func set(_ option: CURLoption, _ list: borrowing HeaderList) throws(HTTPError) {
    try check(unsafe ccurl_set_list(pointer, option, list.pointer))
  }

  /// Sets bytes in place of a file; libcurl copies them.
  func setBlob(_ option: CURLoption, _ text: String) throws(HTTPError) {
    var text = text
    try check(
      text.withUTF8 { bytes in
        unsafe ccurl_set_blob(pointer, option, bytes.baseAddress, bytes.count)
      })
  }

  /// Stops sharing with other handles.
  func leaveShare() { unsafe ccurl_set_pointer(pointer, CURLOPT_SHARE, nil) }

  /// Sets the body; libcurl copies it.
  func setBody(_ bytes: [UInt8]) throws(HTTPError) {
    try setOffset(CURLOPT_POSTFIELDSIZE_LARGE, bytes.count)
    let code = unsafe bytes.withUnsafeBytes { bytes in
      // With a null pointer libcurl would read the body by callback.
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

  /// Makes libcurl call `ask` each time before it sends the request, even when it sends it again.
  @unsafe
  func setSendingCallback(
    _ ask: curl_prereq_callback, user: UnsafeMutableRawPointer
  ) throws(HTTPError) {
    try check(unsafe ccurl_set_prereq_callback(pointer, ask))
    try unsafe set(CURLOPT_PREREQDATA, pointer: user)
  }

  /// Makes libcurl open and close sockets by callbacks. `close` is called as long as connections exist,
  /// which is longer than this handle.
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

  /// Keeps libcurl from opening sockets.
  @unsafe
  func setNoSocket(_ refuse: curl_opensocket_callback) throws(HTTPError) {
    try check(unsafe ccurl_set_open_callback(pointer, refuse))
  }

  /// A number about the transfer; 0 if unknown.
  func long(_ info: CURLINFO) -> Int {
    var value = 0
    unsafe ccurl_get_long(pointer, info, &value)
    return value
  }

  /// A size or a time in microseconds.
  func offset(_ info: CURLINFO) -> Int {
    var value: curl_off_t = 0
    unsafe ccurl_get_offset(pointer, info, &value)
    return Int(value)
  }

  /// A string; nil if there is none.
  func string(_ info: CURLINFO) -> String? {
    var value: UnsafeMutablePointer<CChar>?
    unsafe ccurl_get_string(pointer, info, &value)
    guard let value = unsafe value else { return nil }
    return unsafe String(cString: value)
  }

  /// A list of strings.
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

  /// The HTTP version of the last response.
  var protocolVersion: ProtocolVersion? {
    switch long(CURLINFO_HTTP_VERSION) {
    case Int(CURL_HTTP_VERSION_1_0): .http1_0
    case Int(CURL_HTTP_VERSION_1_1): .http1_1
    case Int(CURL_HTTP_VERSION_2_0): .http2
    case Int(CURL_HTTP_VERSION_3): .http3
    default: nil
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

/// The owner of a list of strings for libcurl, which must outlive the transfer that uses it.
@safe
struct HeaderList: ~Copyable {
  private var head: UnsafeMutablePointer<curl_slist>?

  init() { unsafe head = nil }

  deinit { unsafe curl_slist_free_all(head) }

  /// Adds a header line in libcurl's notation: `Name: value`, `Name;` for an empty value, or `Name:` to
  /// remove a field.
  mutating func append(_ line: String) throws(HTTPError) {
    guard let longer = unsafe curl_slist_append(head, line) else {
      throw HTTPError(.transport, reason: "out of memory for the headers")
    }
    unsafe head = unsafe longer
  }

  /// The list for `EasyHandle.set`; valid as long as its owner.
  @unsafe var pointer: UnsafeMutablePointer<curl_slist>? { unsafe head }
}

/// The global state of libcurl, which must be initialized once before any thread uses it.
enum CurlGlobal {
  /// True if libcurl is initialized; the first use initializes it.
  static let isReady =
    curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK && RunningWorkers.endAtExit()

  /// True if the end of an HTTP/2 stream can get lost: before 8.1.0, libcurl overlooks the end in a last
  /// frame that does not fit into the transfer's buffer, and the transfer hangs.
  /// https://github.com/curl/curl/pull/10771
  static let losesEndsOfStreams = version < 0x080100

  /// True if HTTP/2 without TLS can reuse a connection: before 8.0.1, libcurl starts it again. https://github.com/curl/curl/pull/10634
  static let reusesPlainHTTP2 = version >= 0x080001

  private static let version = unsafe curl_version_info(CURLVERSION_FIRST).pointee.version_num
}
