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
    if let certificate = settings.clientCertificate {
      try easy.set(CURLOPT_SSLCERT, certificate.certificateFile)
      try easy.set(CURLOPT_SSLKEY, certificate.keyFile)
      if let password = certificate.password { try easy.set(CURLOPT_KEYPASSWD, password) }
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

  private var version: Int {
    switch settings.httpVersion {
    case .automatic: Int(CURL_HTTP_VERSION_2TLS)
    case .http1: Int(CURL_HTTP_VERSION_1_1)
    case .http2: Int(CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE)
    }
  }
}
