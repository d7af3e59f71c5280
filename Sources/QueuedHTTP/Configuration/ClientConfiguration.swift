public import FoundationEssentials

/// The configuration of a client; limits and paces can be changed later.
public struct ClientConfiguration: Sendable {
  /// Maximum number of running requests.
  public var concurrency = 16
  /// Maximum number of running requests in a lane that has no limit of its own.
  public var perLane = 4
  /// The maximum number of waiting requests, and what happens to further ones.
  public var capacity = QueueCapacity.unbounded
  /// The head start of each priority over the next lower one.
  ///
  /// A waiting request is overtaken only by requests of higher priority that arrive within this time
  /// for each step between the two, so none starves.
  public var ageing = Duration.seconds(15)
  /// The longest wait that a server can request with `Retry-After`; longer ones are shortened.
  public var longestServerWait = Duration.seconds(3600)
  /// The `User-Agent` of requests that have none; nil sends none.
  public var userAgent: String? = "QueuedHTTP"
  /// Default header fields, such as `Accept-Language`; a request's own field of the same name replaces them.
  public var headers: HTTPHeaders = [:]
  /// The HTTP versions to use.
  public var httpVersion = HTTPVersion.automatic
  /// The proxy for all requests, in libcurl's notation (`http://`, `https://`, `socks5h://`); nil uses
  /// the proxy that the environment names when the client is created, an empty string none.
  public var proxy: String?
  /// Hosts that bypass the proxy, separated by commas; nil uses the environment's list
  /// (`NO_PROXY`). So does this machine, unless the proxy is on it, too: to another one, `localhost` is
  /// that one itself.
  public var noProxy: String?
  /// A file of trusted certificates that replaces the system's, for servers and proxies.
  public var caFile: String?
  /// Trusted certificates in PEM form that replace the system's, in addition to `caFile`, for servers
  /// and proxies.
  public var caCertificates: String?
  /// The minimum TLS version; nil uses the system's default.
  public var minimumTLSVersion: TLSVersion?
  /// The only public keys that servers may have, as base64 SHA-256 digests of their DER form; empty
  /// accepts every key.
  public var pinnedPublicKeys: [String] = []
  /// The path of a Unix socket for all requests, whatever the host in their URL.
  public var unixSocket: String?
  /// Addresses for hosts that replace a name lookup.
  public var nameOverrides: [NameOverride] = []
  /// The store for cookies; nil neither keeps nor sends any.
  public var cookies: CookieStore?
  /// True if equal requests share one transfer while it is running.
  ///
  /// This applies to `GET` and `HEAD` requests into memory that have no body and the same URL, fields
  /// (including credentials), lane and limits, and neither a judge nor a validation, a redirect
  /// closure or progress. Canceling one does not affect the others. `counts` includes each of them; an
  /// observer sees the shared transfer as a request of its own.
  public var joinsEqualRequests = false
  /// The observer of all requests, for logs, metrics and traces; nil costs nothing.
  public var observer: (any RequestObserver)?
  /// Changes each attempt, and repairs refused ones, for signatures and tokens; nil costs nothing.
  public var interceptor: (any RequestInterceptor)?
  /// The maximum number of times that the interceptor can have one request repeated.
  public var interceptorRepeats = 2
  /// The certificate for servers that request one.
  public var clientCertificate: ClientCertificate?
  /// The cache for responses, such as a `DiskCache`; nil stores none.
  public var cache: (any HTTPCache)?
  /// True to guess the lifetime of a response where its server states none: a tenth of its age according to
  /// `Last-Modified`, at most a day (RFC 9111, section 4.2.2). URLs with a query get no such guess.
  public var guessesCacheLifetimes = true
  /// The calendar's clock, for waits given as a date and for the age of stored responses.
  public var now: @Sendable () -> Date = { WallClock.read() }
  /// A random number from 0 to 1, evenly distributed, for the jitter of waits.
  public var chance: @Sendable () -> Double = { Double.random(in: 0...1) }

  /// Creates the default configuration.
  public init() {}
}

/// A client certificate in PEM form, for servers that request one.
public struct ClientCertificate: Sendable, Hashable {
  /// The place of the certificate and its key.
  public enum Source: Sendable, Hashable {
    /// Two files, which are read when a connection is opened.
    case files(certificate: String, key: String)
    /// Two strings in memory.
    case pem(certificate: String, key: String)
  }

  /// The certificate, followed by its intermediate certificates, and its private key.
  public var source: Source
  /// The password of the key; nil if it is not encrypted.
  public var password: String?

  /// Creates a certificate from files, which are read when a connection is opened.
  public init(certificateFile: String, keyFile: String, password: String? = nil) {
    source = .files(certificate: certificateFile, key: keyFile)
    self.password = password
  }

  /// Creates a certificate from memory.
  public init(certificatePEM: String, keyPEM: String, password: String? = nil) {
    source = .pem(certificate: certificatePEM, key: keyPEM)
    self.password = password
  }

  /// Distinguishes it from other certificates.
  var identity: String {
    switch source {
    case .files(let certificate, _), .pem(let certificate, _): certificate
    }
  }
}

/// The addresses of a host, used instead of a name lookup.
public struct NameOverride: Sendable, Hashable {
  /// The host name.
  public var host: String
  /// The port that it applies to.
  public var port: Int
  /// The IP addresses to connect to, tried in order.
  public var addresses: [String]

  /// Creates an override.
  public init(host: String, port: Int, addresses: [String]) {
    self.host = host
    self.port = port
    self.addresses = addresses
  }

  /// The override in libcurl's notation: https://curl.se/libcurl/c/CURLOPT_RESOLVE.html
  var line: String { "\(host):\(port):\(addresses.joined(separator: ","))" }
}

/// A TLS version.
public enum TLSVersion: Sendable, Hashable, CaseIterable {
  /// TLS 1.2 (RFC 5246).
  case tls1_2
  /// TLS 1.3 (RFC 8446).
  case tls1_3
}

/// The HTTP versions that a client uses.
public enum HTTPVersion: Sendable, Hashable {
  /// HTTP/2 for https servers that offer it, otherwise HTTP/1.1.
  case automatic
  /// HTTP/1.1 only.
  case http1
  /// HTTP/2 from the first byte on, also for http servers, which must be known to support it
  /// (RFC 9113, section 3.3); libcurl before 8.0.1 opens a connection for each request there.
  case http2
}

extension HTTPVersion {
  /// Returns whether a connection may speak HTTP/2: over TLS, unless the version is fixed.
  func mayBeHTTP2(isSecure: Bool) -> Bool { self == .http2 || self == .automatic && isSecure }
}
