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
