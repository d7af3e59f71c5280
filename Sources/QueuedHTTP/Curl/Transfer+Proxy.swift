internal import CCurl

extension Transfer {
  /// What a proxy did to the transfer, with the proxy's name and port; nil where none is to blame.
  ///
  /// libcurl says only in its later versions whether it took a proxy at all, so it is told from what
  /// failed.
  func proxyError(_ code: CURLcode) -> HTTPError? {
    switch code {
    case CURLE_COULDNT_RESOLVE_PROXY:
      let name = settings.proxy.flatMap(WebAddress.place(ofProxy:)) ?? failedPlace?.host ?? ""
      guard !name.isEmpty else {
        return HTTPError(.proxy, reason: "the proxy's address is malformed")
      }
      return HTTPError(.nameLookup, reason: "the proxy \(name): its name has no address")
    case CURLE_COULDNT_RESOLVE_HOST:
      guard let host = failedPlace?.host, !isServer(host: host) else { return nil }
      return HTTPError(.nameLookup, reason: "the proxy \(host): its name has no address")
    case CURLE_COULDNT_CONNECT:
      return refusedConnection()
    case CURLE_OPERATION_TIMEDOUT:
      return lateConnection()
    case CURLE_PROXY:
      return refusal(bySOCKS: CURLproxycode(UInt32(max(0, easy.long(CURLINFO_PROXY_ERROR)))))
    case CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING:
      // A server with which nothing was exchanged yet cannot have broken off: TLS has other codes.
      guard connectionsOpened > 0, easy.offset(CURLINFO_PRETRANSFER_TIME_T) == 0 else { return nil }
      return refusal(ofTunnel: easy.long(CURLINFO_HTTP_CONNECTCODE))
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR:
      let result = easy.long(CURLINFO_PROXY_SSL_VERIFYRESULT)
      guard result != 0 else { return nil }
      let words = TransferFault.words(verification: result, of: "proxy")
      return HTTPError(.tls, reason: "the proxy \(proxyPlace): \(words)")
    case _:
      return nil
    }
  }

  private func refusedConnection() -> HTTPError? {
    if easy.lastWords.hasPrefix("Unsupported proxy") {
      return HTTPError(.proxy, reason: "the proxy's address is none that libcurl knows")
    }
    guard let proxy = unreachedProxy else { return nil }
    let words = TransferFault.words(systemError: easy.long(CURLINFO_OS_ERRNO))
    return HTTPError(.connection, reason: "the proxy \(proxy): \(words)")
  }

  /// A connection that did not come in time: the one to the proxy, or the one that it was to make.
  private func lateConnection() -> HTTPError? {
    let time = Wording.time(ticket?.request.timeouts.connect ?? .zero)
    if let proxy = unreachedProxy {
      return HTTPError(.connectTimeout, reason: "the proxy \(proxy): no connection after \(time)")
    }
    // Who was reached by another port than the server's is none but a proxy.
    guard
      easy.lastWords.hasPrefix("Proxy CONNECT")
        || connectionsOpened > 0 && "\(easy.long(CURLINFO_PRIMARY_PORT))" != hop?.address.port
    else { return nil }
    return HTTPError(
      .connectTimeout,
      reason: "the proxy \(proxyPlace) has no connection to the server after \(time)")
  }

  /// The proxy that there is no connection to; nil where it is the server that there is none to.
  private var unreachedProxy: String? {
    guard let place = failedPlace, let port = place.port,
      place.isByProxy || port != hop?.address.port || !isServer(host: place.host)
    else { return nil }
    let name = place.host.contains(":") ? "[\(place.host)]" : place.host
    // Later versions name the server there.
    return place.isByProxy ? proxyPlace : "\(name):\(port)"
  }

  private func refusal(bySOCKS code: CURLproxycode) -> HTTPError {
    switch code {
    case CURLPX_NO_AUTH, CURLPX_USER_REJECTED, CURLPX_REQUEST_FAILED, CURLPX_IDENTD,
      CURLPX_IDENTD_DIFFER, CURLPX_REPLY_NOT_ALLOWED:
      HTTPError(.proxy, reason: "the proxy \(proxyPlace) refused our credentials or the server")
    case CURLPX_CLOSED, CURLPX_RECV_CONNECT, CURLPX_RECV_AUTH, CURLPX_RECV_ADDRESS,
      CURLPX_RECV_REQACK, CURLPX_SEND_CONNECT, CURLPX_SEND_AUTH, CURLPX_SEND_REQUEST:
      HTTPError(.connection, reason: "the proxy \(proxyPlace) closed the connection")
    case CURLPX_RESOLVE_HOST:
      HTTPError(.nameLookup, reason: "the host's name has no address")
    case CURLPX_REPLY_GENERAL_SERVER_FAILURE, CURLPX_REPLY_NETWORK_UNREACHABLE,
      CURLPX_REPLY_HOST_UNREACHABLE, CURLPX_REPLY_CONNECTION_REFUSED, CURLPX_REPLY_TTL_EXPIRED:
      HTTPError(.connection, reason: "the proxy \(proxyPlace) has no connection to the server")
    case _:
      HTTPError(.proxy, reason: "the proxy \(proxyPlace) does not speak as it should")
    }
  }

  private func refusal(ofTunnel status: Int) -> HTTPError {
    switch status {
    case 0: HTTPError(.connection, reason: "the proxy \(proxyPlace) closed the connection")
    case 407:
      HTTPError(.proxy, reason: "the proxy \(proxyPlace) asks for credentials (407)")
    case 500...:
      HTTPError(
        .connection, reason: "the proxy \(proxyPlace) has no connection to the server (\(status))")
    case _: HTTPError(.proxy, reason: "the proxy \(proxyPlace) refused a tunnel (\(status))")
    }
  }

  /// The proxy as it was set, else as it was connected to.
  private var proxyPlace: String {
    if let place = settings.proxy.flatMap(WebAddress.place(ofProxy:)) { return place }
    let host = easy.string(CURLINFO_PRIMARY_IP) ?? ""
    guard !host.isEmpty else { return "of the environment" }
    return "\(host.contains(":") ? "[\(host)]" : host):\(easy.long(CURLINFO_PRIMARY_PORT))"
  }

  /// Whether a name in libcurl's words is the server's.
  private func isServer(host: String) -> Bool {
    // Of other names libcurl tells a form of its own.
    guard let server = hop?.address.host, server.utf8.allSatisfy({ $0 < 0x80 }) else { return true }
    func bare(_ name: String) -> String { name.lowercased().filter { !"[]".contains($0) } }
    let names = [server, host].map { name in
      bare(name).hasSuffix(".") ? String(bare(name).dropLast()) : bare(name)
    }
    return names[0] == names[1]
  }

  /// What libcurl could not reach, by its words: `Failed to connect to HOST port PORT after 0 ms`,
  /// and from version 8 on `via PROXY` behind it; or `Could not resolve host: HOST`.
  private var failedPlace: (host: String, port: String?, isByProxy: Bool)? {
    let words = easy.lastWords.split(separator: " ").map(String.init)
    if words.starts(with: ["Failed", "to", "connect", "to"]), words.count > 6, words[5] == "port" {
      return (words[4], words[6], words.dropFirst(7).first == "via")
    }
    guard words.starts(with: ["Could", "not", "resolve"]), words.count > 4 else { return nil }
    return (words[4], nil, false)
  }
}
