internal import CCurl
internal import Glibc

/// The errors of transfers that a proxy caused; they name the proxy's host and port.
struct ProxyFault {
  let proxy: ProxyChoice
  /// The port to which libcurl last opened a socket.
  let openedPort: Int?
  /// True if that socket was connected.
  let hasReachedPeer: Bool
  let connectTimeout: Duration?

  /// Returns nil if the proxy is not to blame.
  func error(_ code: CURLcode, _ easy: borrowing EasyHandle) -> HTTPError? {
    switch code {
    case CURLE_COULDNT_RESOLVE_PROXY: return lookupFailure
    // The only name that libcurl itself looks up is that of a SOCKS proxy, and it calls it the host's.
    case CURLE_COULDNT_RESOLVE_HOST where proxy.isSOCKS: return lookupFailure
    case CURLE_COULDNT_CONNECT where !proxy.isSupported:
      return HTTPError(.proxy, reason: "libcurl does not support this kind of proxy")
    case CURLE_COULDNT_CONNECT where wasOpenedToProxy:
      let words = TransferFault.words(systemError: easy.long(CURLINFO_OS_ERRNO))
      return HTTPError(.connection, reason: "the proxy \(place): \(words)")
    case CURLE_OPERATION_TIMEDOUT where wasOpenedToProxy:
      let time = Wording.time(connectTimeout ?? .zero)
      return HTTPError(
        .connectTimeout,
        reason: hasReachedPeer
          ? "the proxy \(place) could not reach the server after \(time)"
          : "the proxy \(place): no connection after \(time)")
    case CURLE_PROXY:
      return refusal(bySOCKS: CURLproxycode(UInt32(max(0, easy.long(CURLINFO_PROXY_ERROR)))))
    case CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING:
      // A server that has exchanged nothing yet cannot have broken off: TLS has other codes.
      guard easy.long(CURLINFO_NUM_CONNECTS) > 0, easy.offset(CURLINFO_PRETRANSFER_TIME_T) == 0
      else { return nil }
      return refusal(ofTunnel: easy.long(CURLINFO_HTTP_CONNECTCODE))
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR:
      let result = easy.long(CURLINFO_PROXY_SSL_VERIFYRESULT)
      guard result != 0 else { return nil }
      let words = TransferFault.words(verification: result, of: "proxy")
      return HTTPError(.tls, reason: "the proxy \(place): \(words)")
    default:
      return nil
    }
  }

  private var lookupFailure: HTTPError {
    guard let place = proxy.place else {
      let place = proxy.variable.map { " in \($0)" } ?? ""
      return HTTPError(.proxy, reason: "the proxy's address\(place) is malformed")
    }
    return HTTPError(.nameLookup, reason: "the proxy \(place): its host name has no address")
  }

  /// True if the last socket was opened to the proxy, judging by the port.
  private var wasOpenedToProxy: Bool {
    guard let port = proxy.place?.split(separator: ":").last, let openedPort else { return true }
    return port == "\(openedPort)"
  }

  private func refusal(bySOCKS code: CURLproxycode) -> HTTPError {
    switch code {
    case CURLPX_NO_AUTH, CURLPX_USER_REJECTED, CURLPX_REQUEST_FAILED, CURLPX_IDENTD,
      CURLPX_IDENTD_DIFFER, CURLPX_REPLY_NOT_ALLOWED:
      HTTPError(.proxy, reason: "the proxy \(place) refused our credentials or the server")
    case CURLPX_CLOSED, CURLPX_RECV_CONNECT, CURLPX_RECV_AUTH, CURLPX_RECV_ADDRESS,
      CURLPX_RECV_REQACK, CURLPX_SEND_CONNECT, CURLPX_SEND_AUTH, CURLPX_SEND_REQUEST:
      HTTPError(.connection, reason: "the proxy \(place) closed the connection")
    case CURLPX_RESOLVE_HOST:
      HTTPError(.nameLookup, reason: "could not resolve the host name")
    case CURLPX_REPLY_GENERAL_SERVER_FAILURE, CURLPX_REPLY_NETWORK_UNREACHABLE,
      CURLPX_REPLY_HOST_UNREACHABLE, CURLPX_REPLY_CONNECTION_REFUSED, CURLPX_REPLY_TTL_EXPIRED:
      HTTPError(.connection, reason: "the proxy \(place) could not reach the server")
    default:
      HTTPError(.proxy, reason: "the proxy \(place) broke the SOCKS protocol")
    }
  }

  private func refusal(ofTunnel status: Int) -> HTTPError {
    switch status {
    case 0: HTTPError(.connection, reason: "the proxy \(place) closed the connection")
    case 407: HTTPError(.proxy, reason: "the proxy \(place) requires credentials (407)")
    case 500...:
      HTTPError(
        .connection, reason: "the proxy \(place) could not reach the server (\(status))")
    default: HTTPError(.proxy, reason: "the proxy \(place) refused a tunnel (\(status))")
    }
  }

  private var place: String { proxy.place ?? "of the environment" }
}

/// The proxy that libcurl uses for an address, found by its rules: libcurl reports it only since
/// version 8.7.
struct ProxyChoice {
  /// The proxy's address, perhaps with credentials.
  private let address: String
  /// The variable that has it; nil if a setting does.
  let variable: String?

  /// Returns nil for a direct connection.
  ///
  /// - Parameter environment: Returns the value of an environment variable.
  init?(
    for server: WebAddress, _ settings: ClientConfiguration,
    environment: (String) -> String? = ProxyChoice.variable
  ) {
    let names = (server.isSecure ? Self.secureNames : Self.plainNames) + Self.commonNames
    let variable =
      settings.proxy == nil ? names.first { environment($0)?.isEmpty == false } : nil
    let address = settings.proxy ?? variable.flatMap(environment)
    let exempt =
      settings.noProxy ?? environment("no_proxy") ?? environment("NO_PROXY") ?? ""
    guard let address, !address.isEmpty, !Self.isExempt(server.host, by: exempt) else { return nil }
    self.address = address
    self.variable = variable
  }

  // Not `HTTP_PROXY`: a web server sets it from a `Proxy:` field that a client sent.
  private static let plainNames = ["http_proxy"]
  private static let secureNames = ["https_proxy", "HTTPS_PROXY"]
  private static let commonNames = ["all_proxy", "ALL_PROXY"]

  /// The hosts that bypass the proxy: this machine, too, unless the proxy is on it.
  static func exemptHosts(
    of settings: ClientConfiguration, environment: (String) -> String? = ProxyChoice.variable
  ) -> String? {
    let given = settings.noProxy ?? environment("no_proxy") ?? environment("NO_PROXY")
    let own = settings.proxy.map { [$0] }
    let addresses =
      own ?? (plainNames + secureNames + commonNames).compactMap(environment).filter { !$0.isEmpty }
    let places = addresses.compactMap { WebAddress.place(ofProxy: $0) }
    guard given != "*", !places.isEmpty, !places.contains(where: isOnThisMachine) else {
      return settings.noProxy
    }
    return ([given].compactMap(\.self).filter { !$0.isEmpty } + thisMachine).joined(separator: ",")
  }

  // The block needs libcurl 7.86.
  private static let thisMachine = ["localhost", "127.0.0.1", "127.0.0.0/8", "::1"]

  private static func isOnThisMachine(_ place: String) -> Bool {
    let host = place.lowercased().prefix { $0 != ":" }
    return host == "localhost" || place.hasPrefix("[::1]:")
      || host.hasPrefix("127.") && host.allSatisfy { $0 == "." || $0.isNumber }
  }

  /// True if a variable names a proxy for any address.
  static var isInEnvironment: Bool {
    (plainNames + secureNames + commonNames).contains { variable($0)?.isEmpty == false }
  }

  /// The host and port, without user and password; nil if the address is malformed.
  var place: String? { WebAddress.place(ofProxy: address) }

  var isSOCKS: Bool { scheme.hasPrefix("socks") }

  /// True if libcurl supports this kind of proxy.
  var isSupported: Bool {
    ["http", "https", "socks", "socks4", "socks4a", "socks5", "socks5h"].contains(scheme)
  }

  private var scheme: String {
    address.firstRange(of: "://").map { address[..<$0.lowerBound].lowercased() } ?? "http"
  }

  /// True if a list contains a host, or a domain that it belongs to.
  private static func isExempt(_ host: String, by list: String) -> Bool {
    func bare(_ name: some StringProtocol) -> String {
      let name = name.lowercased().filter { !"[]".contains($0) }
      return name.hasSuffix(".") ? String(name.dropLast()) : name
    }
    let host = bare(host)
    return list.split(whereSeparator: { ", ".contains($0) }).contains { entry in
      if entry == "*" || isIPv4(host, in: entry) { return true }
      let name = bare(entry.hasPrefix(".") ? entry.dropFirst() : entry)
      return host == name || host.hasSuffix(".\(name)") && !name.isEmpty
    }
  }

  /// Returns whether an address is in a block such as `127.0.0.0/8` (RFC 4632).
  private static func isIPv4(_ host: String, in block: Substring) -> Bool {
    let parts = block.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let bits = Int(parts[1]), (0...32).contains(bits),
      let address = ipv4(host), let first = ipv4(parts[0])
    else { return false }
    return bits == 0 || (address ^ first) >> (32 - UInt32(bits)) == 0
  }

  private static func ipv4(_ text: some StringProtocol) -> UInt32? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let bytes = parts.compactMap { UInt8($0) }
    guard parts.count == 4, bytes.count == 4 else { return nil }
    return bytes.reduce(0) { $0 << 8 | UInt32($1) }
  }

  private static func variable(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
  }
}
