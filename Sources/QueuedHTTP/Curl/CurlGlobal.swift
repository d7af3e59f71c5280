internal import CCurl

/// libcurl as a whole, which wants to be set up once before any thread uses it.
enum CurlGlobal {
  /// Whether libcurl could be set up; asking for it does so.
  static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
}
