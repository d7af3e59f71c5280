internal import CCurl

extension Transfer {
  /// Sets what is the same for every request.
  func configure() throws(HTTPError) {
    try easy.set(CURLOPT_NOSIGNAL, 1)
    try easy.set(CURLOPT_QUICK_EXIT, 1)
    try easy.set(CURLOPT_PROTOCOLS_STR, "http,https")
    try easy.set(CURLOPT_REDIR_PROTOCOLS_STR, "http,https")
    try easy.set(CURLOPT_HTTP_VERSION, version)
    try easy.keepWords()
    try easy.set(CURLOPT_TCP_NODELAY, 1)
    // A proxy's answer to CONNECT is none of the server's.
    try easy.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    if let proxy = settings.proxy { try easy.set(CURLOPT_PROXY, proxy) }
    if let hosts = settings.noProxy { try easy.set(CURLOPT_NOPROXY, hosts) }
    if let caFile = settings.caFile {
      try easy.set(CURLOPT_CAINFO, caFile)
      try easy.set(CURLOPT_PROXY_CAINFO, caFile)
    }
    if let certificates = settings.caCertificates {
      try easy.setBlob(CURLOPT_CAINFO_BLOB, certificates)
      try easy.setBlob(CURLOPT_PROXY_CAINFO_BLOB, certificates)
    }
    try configureTLS()
    if let socket = settings.unixSocket { try easy.set(CURLOPT_UNIX_SOCKET_PATH, socket) }
    if !settings.nameOverrides.isEmpty {
      overrides = HeaderList()
      for override in settings.nameOverrides { try overrides.append(override.line) }
      try easy.set(CURLOPT_RESOLVE, overrides)
    }
    let user = unsafe Unmanaged.passUnretained(self).toOpaque()
    try unsafe easy.set(CURLOPT_PRIVATE, pointer: user)
    try unsafe easy.set(CURLOPT_WRITEDATA, pointer: user)
    try unsafe easy.set(CURLOPT_HEADERDATA, pointer: user)
    try unsafe easy.setCallbacks(write: receiveBody, header: receiveHeaderLine)
    try unsafe easy.setSendingCallback(allowSending, user: user)
    let sockets = unsafe Unmanaged.passUnretained(sockets).toOpaque()
    try unsafe easy.setSocketCallbacks(
      open: openSocket, of: user, close: closeSocket, of: sockets)
  }

  private func configureTLS() throws(HTTPError) {
    if let certificate = settings.clientCertificate {
      switch certificate.source {
      case .files(let certificate, let key):
        try easy.set(CURLOPT_SSLCERT, certificate)
        try easy.set(CURLOPT_SSLKEY, key)
      case .pem(let certificate, let key):
        try easy.setBlob(CURLOPT_SSLCERT_BLOB, certificate)
        try easy.setBlob(CURLOPT_SSLKEY_BLOB, key)
      }
      if let password = certificate.password { try easy.set(CURLOPT_KEYPASSWD, password) }
    }
    switch settings.minimumTLSVersion {
    case nil: break
    case .tls1_2: try easy.set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
    case .tls1_3: try easy.set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_3))
    }
    if !settings.pinnedPublicKeys.isEmpty {
      let pins = settings.pinnedPublicKeys.map { "sha256//\($0)" }.joined(separator: ";")
      try easy.set(CURLOPT_PINNEDPUBLICKEY, pins)
    }
  }

  private var version: Int {
    switch settings.httpVersion {
    case .automatic: Int(CURL_HTTP_VERSION_2TLS)
    case .http1: Int(CURL_HTTP_VERSION_1_1)
    case .http2: Int(CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE)
    }
  }
}
