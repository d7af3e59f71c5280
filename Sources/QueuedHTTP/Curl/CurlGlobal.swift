internal import CCurl

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

  /// The encodings of bodies that this libcurl can undo, as `Accept-Encoding` names them; nil for
  /// none.
  static let encodings: String? = {
    let features = unsafe curl_version_info(CURLVERSION_FIRST).pointee.features
    let known = [
      (CURL_VERSION_LIBZ, "deflate, gzip"), (CURL_VERSION_BROTLI, "br"),
      (CURL_VERSION_ZSTD, "zstd"),
    ]
    let names = known.filter { features & $0.0 != 0 }.map(\.1)
    return names.isEmpty ? nil : names.joined(separator: ", ")
  }()
}
