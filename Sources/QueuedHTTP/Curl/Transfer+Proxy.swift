internal import CCurl
internal import Glibc

extension Transfer {
  /// What a proxy did to the transfer, with the proxy's name and port; nil where none is to blame.
  func proxyError(_ code: CURLcode) -> HTTPError? {
    guard let hop, let proxy = ProxyChoice(for: hop.address, settings) else { return nil }
    switch code {
    case CURLE_COULDNT_RESOLVE_PROXY:
      return lookupFailure(of: proxy)
    // Of all names libcurl itself looks up that of a SOCKS proxy alone, and calls it the host's.
    case CURLE_COULDNT_RESOLVE_HOST where proxy.isSOCKS:
      return lookupFailure(of: proxy)
    case CURLE_COULDNT_CONNECT where !proxy.isKnown:
      return HTTPError(.proxy, reason: "the proxy's address is none that libcurl knows")
    case CURLE_COULDNT_CONNECT where wasOpened(to: proxy):
      let words = TransferFault.words(systemError: easy.long(CURLINFO_OS_ERRNO))
      return HTTPError(.connection, reason: "the proxy \(proxyPlace): \(words)")
    case CURLE_OPERATION_TIMEDOUT where wasOpened(to: proxy):
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

  private func lookupFailure(of proxy: ProxyChoice) -> HTTPError {
    guard let place = proxy.place else {
      return HTTPError(.proxy, reason: "the proxy's address is malformed")
    }
    return HTTPError(.nameLookup, reason: "the proxy \(place): its name has no address")
  }

  /// A connection that did not come in time: the one to the proxy, or the one that it was to make.
  private func lateConnection() -> HTTPError {
    let time = Wording.time(ticket?.request.timeouts.connect ?? .zero)
    return HTTPError(
      .connectTimeout,
      reason: hasReachedOther
        ? "the proxy \(proxyPlace) has no connection to the server after \(time)"
        : "the proxy \(proxyPlace): no connection after \(time)")
  }

  /// Whether the last socket was for the proxy, as far as its port tells.
  private func wasOpened(to proxy: ProxyChoice) -> Bool {
    guard let port = proxy.place?.split(separator: ":").last, let openedPort else { return true }
    return port == "\(openedPort)"
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

  /// The proxy by its host and port.
  private var proxyPlace: String {
    hop.flatMap { ProxyChoice(for: $0.address, settings)?.place } ?? "of the environment"
  }
}

/// The proxy by which libcurl asks for an address, found by its rules: it says so itself only from
/// version 8.7 on.
struct ProxyChoice {
  /// The proxy's address, perhaps with credentials.
  private let address: String

  /// Nil where the server is asked itself.
  ///
  /// - Parameter environment: Returns the value of a variable of the process.
  init?(
    for server: WebAddress, _ settings: HTTPClient.Configuration,
    environment: (String) -> String? = ProxyChoice.variable
  ) {
    // Only in small letters: in large ones a web server sets it for what a client sent as `Proxy:`.
    let names =
      server.isSecure ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"]
    let address =
      settings.proxy
      ?? (names + ["all_proxy", "ALL_PROXY"]).lazy.compactMap(environment).first { !$0.isEmpty }
    let exempt =
      settings.noProxy ?? environment("no_proxy") ?? environment("NO_PROXY") ?? ""
    guard let address, !address.isEmpty, !Self.isExempt(server.host, by: exempt) else { return nil }
    self.address = address
  }

  /// The host and port, without user and password; nil where the address is malformed.
  var place: String? { WebAddress.place(ofProxy: address) }

  var isSOCKS: Bool { scheme.hasPrefix("socks") }

  /// Whether libcurl knows this kind of proxies.
  var isKnown: Bool {
    ["http", "https", "socks", "socks4", "socks4a", "socks5", "socks5h"].contains(scheme)
  }

  private var scheme: String {
    address.firstRange(of: "://").map { address[..<$0.lowerBound].lowercased() } ?? "http"
  }

  /// Whether a list names a host, or a domain that it belongs to.
  private static func isExempt(_ host: String, by list: String) -> Bool {
    func bare(_ name: some StringProtocol) -> String {
      let name = name.lowercased().filter { !"[]".contains($0) }
      return name.hasSuffix(".") ? String(name.dropLast()) : name
    }
    let host = bare(host)
    return list.split(whereSeparator: { ", ".contains($0) }).contains { entry in
      if entry == "*" { return true }
      let name = bare(entry.hasPrefix(".") ? entry.dropFirst() : entry)
      return host == name || host.hasSuffix(".\(name)") && !name.isEmpty
    }
  }

  private static func variable(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
  }
}
