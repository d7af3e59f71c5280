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
}
