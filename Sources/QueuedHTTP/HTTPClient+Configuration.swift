public import FoundationEssentials

extension HTTPClient {
  /// How a client is set up; limits and paces can be changed while it works.
  public struct Configuration: Sendable {
    /// Requests that run at once in all.
    public var concurrency = 16
    /// Requests that run at once in a lane that has no limit of its own.
    public var perLane = 4
    /// How many requests may wait, and what happens to one more.
    public var capacity = QueueCapacity.unbounded
    /// How much later a request of one priority counts than one of the next higher.
    ///
    /// A waiting request is passed only by those of higher priority that come within this time for
    /// each step between the two, so none starves.
    public var ageing = Duration.seconds(15)
    /// The longest wait that a server can ask for with `Retry-After`; a longer one is cut to this.
    public var longestServerWait = Duration.seconds(3600)
    /// The `User-Agent` of requests that bring none; nil sends none.
    public var userAgent: String? = "QueuedHTTP"
    /// The versions of HTTP that are spoken.
    public var httpVersion = HTTPVersion.automatic
    /// The proxy for all requests, as libcurl writes them (`http://`, `https://`, `socks5h://`); nil
    /// leaves it to the environment, an empty one forbids any.
    public var proxy: String?
    /// Hosts that are asked without the proxy, separated by commas; nil leaves it to the
    /// environment (`NO_PROXY`).
    public var noProxy: String?
    /// A file of trusted certificates in place of the system's, for servers and proxies.
    public var caFile: String?
    /// Trusted certificates in PEM form, in place of the system's and beside `caFile`, for servers and
    /// proxies.
    public var caCertificates: String?
    /// The lowest version of TLS that is spoken to servers; nil leaves it to the system.
    public var minimumTLSVersion: TLSVersion?
    /// The only public keys that servers may have: the SHA-256 digests of their DER form, in base64;
    /// none accepts any.
    public var pinnedPublicKeys: [String] = []
    /// The path of a Unix socket that all requests go through, whatever the host of their address.
    public var unixSocket: String?
    /// Addresses for hosts in place of those that their names have.
    public var nameOverrides: [NameOverride] = []
    /// Where cookies are kept between requests; nil neither keeps nor sends any.
    public var cookies: CookieStore?
    /// Whether equal requests under way share one transfer.
    ///
    /// They are a `GET` or a `HEAD` into memory without a body, with the same address, fields
    /// (credentials among them), lane and limits, and without a judge, a validation, a closure for
    /// redirects and progress. Cancelling one leaves the others alone. `counts` has each of them;
    /// an observer sees the shared transfer as a request of its own.
    public var joinsEqualRequests = false
    /// Who watches the requests; nil costs nothing.
    public var observer: (any RequestObserver)?
    /// What servers that ask for it are shown.
    public var clientCertificate: ClientCertificate?
    /// Where responses are kept for later requests, such as a `DiskCache`; nil keeps none.
    public var cache: (any HTTPCache)?
    /// The calendar's clock, for waits that are given as a date and the age of what a cache keeps.
    public var now: @Sendable () -> Date = { WallClock.read() }
    /// Chance, evenly from 0 to 1, for the jitter of waits.
    public var chance: @Sendable () -> Double = { Double.random(in: 0...1) }

    /// The default set-up.
    public init() {}
  }
}

/// The certificate that a client shows to a server that asks for one, in PEM form.
public struct ClientCertificate: Sendable, Hashable {
  /// Where the certificate and its key are.
  public enum Source: Sendable, Hashable {
    /// Two files, which are read when a connection is made.
    case files(certificate: String, key: String)
    /// Two texts in memory.
    case pem(certificate: String, key: String)
  }

  /// Where the certificate, with those that vouch for it after it, and its private key are.
  public var source: Source
  /// The password of an encrypted key; nil where it is not encrypted.
  public var password: String?

  /// Names the files, which are read when a connection is made.
  public init(certificateFile: String, keyFile: String, password: String? = nil) {
    source = .files(certificate: certificateFile, key: keyFile)
    self.password = password
  }

  /// Takes the certificate and its key from memory.
  public init(certificatePEM: String, keyPEM: String, password: String? = nil) {
    source = .pem(certificate: certificatePEM, key: keyPEM)
    self.password = password
  }

  /// What tells it from other certificates.
  var identity: String {
    switch source {
    case .files(let certificate, _), .pem(let certificate, _): certificate
    }
  }
}

/// Addresses to use for a host in place of those that its name has.
public struct NameOverride: Sendable, Hashable {
  /// The name of the host.
  public var host: String
  /// The port for which it holds.
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

/// A version of TLS.
public enum TLSVersion: Sendable, Hashable, CaseIterable {
  /// TLS 1.2 (RFC 5246).
  case tls1_2
  /// TLS 1.3 (RFC 8446).
  case tls1_3
}

/// Which versions of HTTP a client speaks.
public enum HTTPVersion: Sendable, Hashable {
  /// HTTP/2 to https servers that offer it, else HTTP/1.1.
  case automatic
  /// HTTP/1.1 alone.
  case http1
  /// HTTP/2 from the first byte on, also to http servers, which must be known to speak it
  /// (RFC 9113, section 3.3); libcurl before 8.0.1 needs a connection for each request there.
  case http2
}
