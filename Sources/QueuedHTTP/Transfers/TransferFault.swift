internal import CCurl
internal import Glibc

/// Converts libcurl's error codes to our errors.
enum TransferFault {
  /// The facts about a transfer in addition to libcurl's code.
  struct Circumstances {
    /// True if any byte of a response arrived.
    var answered: Bool
    /// Body bytes after decompression.
    var received: Int
    /// The `errno` of the last failed system call, or 0.
    var systemError: Int
    /// OpenSSL's result of checking the server's certificate; 0 if it is valid.
    var verification = 0
    /// True if the header lines of the response were incomplete.
    var isInHeaders = false
    var connectTimeout: Duration?
    /// The limit of the request; nil without a request.
    var headerBytes: Int?
    /// libcurl's description of the error.
    var words = ""
  }

  static func error(_ code: CURLcode, _ seen: Circumstances) -> HTTPError {
    if let tooLarge = tooLarge(code, seen) { return tooLarge }
    return switch code {
    case CURLE_URL_MALFORMAT:
      HTTPError(.badRequest, reason: "the address is malformed")
    case CURLE_COULDNT_RESOLVE_HOST:
      HTTPError(.nameLookup, reason: "could not resolve the host name")
    case CURLE_COULDNT_CONNECT, CURLE_INTERFACE_FAILED, CURLE_NO_CONNECTION_AVAILABLE:
      HTTPError(.connection, reason: words(systemError: seen.systemError))
    case CURLE_OPERATION_TIMEDOUT:
      // The only timeout of libcurl; the loop itself checks the others.
      HTTPError(
        .connectTimeout,
        reason: "no connection after \(Wording.time(seen.connectTimeout ?? .zero))")
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS:
      HTTPError(.tls, reason: words(verification: seen.verification))
    case CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CRL_BADFILE:
      HTTPError(
        .tls, reason: "cannot read the file of trusted certificates\(certificates(in: seen.words))")
    case CURLE_SSL_CONNECT_ERROR: handshake(seen)
    case CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED,
      CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_USE_SSL_FAILED, CURLE_SSL_ENGINE_INITFAILED,
      CURLE_SSL_SHUTDOWN_FAILED, CURLE_SSL_CLIENTCERT:
      HTTPError(.tls, reason: "TLS failed (\(description(of: code)))")
    case CURLE_SSL_PINNEDPUBKEYNOTMATCH:
      HTTPError(.tls, reason: "the server's public key is not pinned")
    // libcurl's words for a line that continues none, also among the trailers, and for one with a NUL.
    case CURLE_BAD_FUNCTION_ARGUMENT where seen.isInHeaders || seen.answered,
      CURLE_WEIRD_SERVER_REPLY where seen.answered && !seen.words.contains("nsupported HTTP"):
      HTTPError(.brokenAnswer, reason: "a header line is malformed")
    case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY:
      // libcurl also reports HTTP/0.9 as an unsupported protocol.
      HTTPError(
        .brokenAnswer,
        reason: seen.words.contains("nsupported HTTP")
          ? "unsupported HTTP version in the response"
          : "the server did not reply with HTTP")
    case CURLE_GOT_NOTHING where seen.answered:
      broken(seen)
    case CURLE_GOT_NOTHING:
      HTTPError(.connection, reason: "the server closed the connection without a response")
    case CURLE_PARTIAL_FILE, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM,
      CURLE_HTTP3, CURLE_CHUNK_FAILED:
      broken(seen)
    case CURLE_OUT_OF_MEMORY:
      HTTPError(.transport, reason: "out of memory")
    default:
      HTTPError(
        .transport, reason: "libcurl failed: \(description(of: code)) (\(code.rawValue))")
    }
  }

  /// The error of a handshake. One that was broken off may succeed the next time, whoever broke it off.
  private static func handshake(_ seen: Circumstances) -> HTTPError {
    let isReset = [ECONNRESET, EPIPE].contains(Int32(truncatingIfNeeded: seen.systemError))
    if isReset || brokenHandshakes.contains(where: seen.words.contains) {
      return HTTPError(.connection, reason: "the TLS handshake was broken off")
    }
    if plainAnswers.contains(where: seen.words.contains) {
      return HTTPError(.tls, reason: "the server did not reply with TLS")
    }
    return HTTPError(.tls, reason: "TLS failed (\(description(of: CURLE_SSL_CONNECT_ERROR)))")
  }

  /// The words of OpenSSL and of GnuTLS for a peer that closes or resets the connection, or fails itself
  /// (RFC 8446, section 6.2: `internal_error`).
  private static let brokenHandshakes = [
    "SSL_ERROR_SYSCALL", "SSL_ERROR_ZERO_RETURN", "Connection reset", "Broken pipe",
    "unexpected eof",
    "alert internal error", "non-properly terminated", "Error in the pull function",
    "Error in the push function", "alert has been received: Internal error",
  ]

  /// Their words for a peer that does not speak TLS.
  private static let plainAnswers = [
    "wrong version number", "packet length too long", "http request", "unexpected TLS packet",
  ]

  /// The file in libcurl's words: `certificate file: /path`, or before version 7.84 `CAfile: /path CApath: none`.
  private static func certificates(in words: String) -> String {
    let start = words.firstRange(of: "certificate file: ") ?? words.firstRange(of: "CAfile: ")
    guard let start = start?.upperBound else { return "" }
    let rest = words[start...]
    let path = rest[..<(rest.firstRange(of: " CApath: ")?.lowerBound ?? rest.endIndex)]
      .prefix { $0 != "\n" }
    return path.isEmpty || path == "none" ? "" : ", \(path)"
  }

  /// `CURLE_TOO_LARGE`, which versions before 8.6 lack.
  private static let tooLarge = CURLcode(100)

  /// The error of a head beyond libcurl's own limits: 100 KiB for a line and 300 KiB in total.
  private static func tooLarge(_ code: CURLcode, _ seen: Circumstances) -> HTTPError? {
    guard seen.isInHeaders else { return nil }
    let isHead = seen.words.contains("Too large response headers")
    guard isHead || code == CURLE_OUT_OF_MEMORY || code == tooLarge else { return nil }
    let what = isHead ? "headers larger than 300 KiB" : "a header line larger than 100 KiB"
    let allowed = seen.headerBytes.map { " (the request allows \(Wording.bytes($0)))" } ?? ""
    return HTTPError(.tooLarge, reason: "\(what), which is libcurl's limit\(allowed)")
  }

  private static func broken(_ seen: Circumstances) -> HTTPError {
    guard seen.answered else {
      // nghttp2 has its own limit, for which libcurl has no code.
      if seen.words.contains("Too many CONTINUATION frames") {
        return HTTPError(.tooLarge, reason: "the headers have too many frames")
      }
      return HTTPError(.connection, reason: "the connection was reset before a response")
    }
    if seen.words.contains("chunked-encoding") {
      return HTTPError(.brokenAnswer, reason: "the response has a malformed chunk")
    }
    if seen.isInHeaders {
      return HTTPError(.brokenAnswer, reason: "the response ended early, in its headers")
    }
    let received = Wording.exactBytes(seen.received)
    return HTTPError(.brokenAnswer, reason: "the response ended early, after \(received)")
  }

  static func words(verification: Int, of owner: String = "server") -> String {
    switch verification {
    // The chain is valid, so libcurl rejects the name, and leaves a 1 here.
    case 0, 1: "the \(owner)'s certificate is for another name"
    case 9: "the \(owner)'s certificate is not valid yet"
    case 10: "the \(owner)'s certificate has expired"
    case 18, 19: "the \(owner)'s certificate is self-signed and not trusted"
    case 2, 20, 21: "the \(owner)'s certificate was issued by an authority that is not trusted"
    case 23: "the \(owner)'s certificate was revoked"
    case 62, 64: "the \(owner)'s certificate is for another name"
    default: "the \(owner)'s certificate is not trusted"
    }
  }

  static func words(systemError: Int) -> String {
    switch Int32(truncatingIfNeeded: systemError) {
    case ECONNREFUSED: "connection refused"
    case ENETUNREACH: "network unreachable"
    case EHOSTUNREACH: "host unreachable"
    case ETIMEDOUT: "the host does not respond"
    case EACCES, EPERM: "connection not permitted"
    case EMFILE, ENFILE: "too many open files"
    default: "no connection"
    }
  }

  private static func description(of code: CURLcode) -> String {
    guard let text = unsafe curl_easy_strerror(code) else { return "unknown" }
    return unsafe String(cString: text).lowercased()
  }
}
