internal import CCurl

extension EasyHandle {
  /// Sets the options that are the same for every request of a client.
  ///
  /// - Parameter overrides: The client's name overrides, which must outlive the transfer.
  func apply(
    _ settings: ClientConfiguration, overrides: borrowing HeaderList
  ) throws(HTTPError) {
    try set(CURLOPT_NOSIGNAL, 1)
    try set(CURLOPT_QUICK_EXIT, 1)
    try set(CURLOPT_PROTOCOLS_STR, "http,https")
    try set(CURLOPT_REDIR_PROTOCOLS_STR, "http,https")
    try set(CURLOPT_HTTP_VERSION, Self.version(settings.httpVersion))
    try keepErrorText()
    try set(CURLOPT_TCP_NODELAY, 1)
    // The headers of a proxy's answer to CONNECT are not the server's.
    try set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    if let proxy = settings.proxy { try set(CURLOPT_PROXY, proxy) }
    if let hosts = settings.noProxy { try set(CURLOPT_NOPROXY, hosts) }
    if let caFile = settings.caFile {
      try set(CURLOPT_CAINFO, caFile)
      try set(CURLOPT_PROXY_CAINFO, caFile)
    }
    if let certificates = settings.caCertificates {
      try setBlob(CURLOPT_CAINFO_BLOB, certificates)
      try setBlob(CURLOPT_PROXY_CAINFO_BLOB, certificates)
    }
    try applyTLS(settings)
    if let socket = settings.unixSocket { try set(CURLOPT_UNIX_SOCKET_PATH, socket) }
    if !settings.nameOverrides.isEmpty { try set(CURLOPT_RESOLVE, overrides) }
  }

  private func applyTLS(_ settings: ClientConfiguration) throws(HTTPError) {
    if let certificate = settings.clientCertificate {
      switch certificate.source {
      case .files(let certificate, let key):
        try set(CURLOPT_SSLCERT, certificate)
        try set(CURLOPT_SSLKEY, key)
      case .pem(let certificate, let key):
        try setBlob(CURLOPT_SSLCERT_BLOB, certificate)
        try setBlob(CURLOPT_SSLKEY_BLOB, key)
      }
      if let password = certificate.password { try set(CURLOPT_KEYPASSWD, password) }
    }
    switch settings.minimumTLSVersion {
    case nil: break
    case .tls1_2: try set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
    case .tls1_3: try set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_3))
    }
    if !settings.pinnedPublicKeys.isEmpty {
      let pins = settings.pinnedPublicKeys.map { "sha256//\($0)" }.joined(separator: ";")
      try set(CURLOPT_PINNEDPUBLICKEY, pins)
    }
  }

  private static func version(_ version: HTTPVersion) -> Int {
    switch version {
    case .automatic: Int(CURL_HTTP_VERSION_2TLS)
    case .http1: Int(CURL_HTTP_VERSION_1_1)
    case .http2: Int(CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE)
    }
  }
}
