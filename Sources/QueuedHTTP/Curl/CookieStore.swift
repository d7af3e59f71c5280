public import FoundationEssentials

/// The cookies of a client, kept in memory (RFC 6265).
///
/// A client with a store keeps the cookies that servers set, and sends them where they belong, also
/// after redirects. Any number of clients may share a store. A request with its own `Cookie` field
/// sends only that, and what its response sets is not kept.
public final class CookieStore: Sendable {
  private let share = CookieShare()

  /// Creates an empty store.
  public init() {}

  /// The current cookies, without expired ones.
  public var cookies: [Cookie] { share.lines.compactMap(Cookie.init(line:)) }

  /// Adds a cookie, and replaces one with the same name, domain and path.
  ///
  /// Throws `HTTPError.Code.badRequest` for a cookie with control characters or semicolons, or whose name
  /// contains a space, a comma or an equals sign: servers would read another cookie (RFC 6265, section
  /// 4.1.1).
  public func set(_ cookie: Cookie) throws(HTTPError) {
    guard let line = cookie.line else {
      throw HTTPError(
        .badRequest,
        reason: "the cookie \(cookie.name) contains control characters or separators")
    }
    try share.set(line)
  }

  /// Removes all cookies.
  public func removeAll() throws(HTTPError) { try share.set("ALL") }

  /// Makes a handle keep and send these cookies.
  func attach(to easy: borrowing EasyHandle) throws(HTTPError) { try share.attach(to: easy) }

  /// The cookies that may be sent to a host, which tell its accounts apart.
  func identity(of host: String) -> [String] {
    cookies.filter { $0.matches(host) }.map { "\($0.domain)\t\($0.path)\t\($0.name)=\($0.value)" }
      .sorted()
  }
}

/// A cookie (RFC 6265, section 5.3).
public struct Cookie: Sendable, Hashable {
  /// The name of the cookie.
  public var name: String
  /// The value that is sent.
  public var value: String
  /// The host that it is sent to.
  public var domain: String
  /// True if it is also sent to hosts below its domain.
  public var includesSubdomains: Bool
  /// The beginning of the paths that it is sent for.
  public var path: String
  /// True if it is sent over https alone.
  public var isSecure: Bool
  /// True if the server wants it kept from scripts.
  public var isHTTPOnly: Bool
  /// The moment at which it expires; nil means with the store.
  public var expires: Date?

  /// Creates a cookie for a host.
  public init(
    name: String, value: String, domain: String, includesSubdomains: Bool = false,
    path: String = "/", isSecure: Bool = false, isHTTPOnly: Bool = false, expires: Date? = nil
  ) {
    self.name = name
    self.value = value
    self.domain = domain
    self.includesSubdomains = includesSubdomains
    self.path = path
    self.isSecure = isSecure
    self.isHTTPOnly = isHTTPOnly
    self.expires = expires
  }

  private static let httpOnly = "#HttpOnly_"

  /// Reads a line of Netscape's cookie file: https://curl.se/docs/http-cookies.html
  init?(line: String) {
    let parts = line.split(separator: "\t", maxSplits: 6, omittingEmptySubsequences: false)
    guard parts.count == 7, let seconds = Int(parts[4]) else { return nil }
    isHTTPOnly = parts[0].hasPrefix(Self.httpOnly)
    let domain = isHTTPOnly ? parts[0].dropFirst(Self.httpOnly.count) : parts[0]
    self.domain = String(domain.hasPrefix(".") ? domain.dropFirst() : domain)
    includesSubdomains = parts[1] == "TRUE"
    path = String(parts[2])
    isSecure = parts[3] == "TRUE"
    expires = seconds == 0 ? nil : Date(timeIntervalSince1970: Double(seconds))
    name = String(parts[5])
    value = String(parts[6])
  }

  /// The cookie as such a line; nil where a field would break it.
  var line: String? {
    let isPlain = { (text: String) in
      !text.utf8.contains { $0 < 0x20 || $0 == 0x7F || $0 == UInt8(ascii: ";") }
    }
    guard [name, value, domain, path].allSatisfy(isPlain), !name.isEmpty, !domain.isEmpty,
      !name.contains(where: { "= ,".contains($0) })
    else { return nil }
    let seconds = expires.map { Int(min(max(1, $0.timeIntervalSince1970), 1e15)) } ?? 0
    return [
      (isHTTPOnly ? Self.httpOnly : "") + domain, includesSubdomains ? "TRUE" : "FALSE", path,
      isSecure ? "TRUE" : "FALSE", "\(seconds)", name, value,
    ].joined(separator: "\t")
  }

  /// True if it may be sent to a host.
  func matches(_ host: String) -> Bool {
    let domain = domain.lowercased()
    return host == domain || includesSubdomains && host.hasSuffix(".\(domain)")
  }
}
