internal import SearchModel
internal import TextFormats

/// The secrets in the addresses that users give: feeds for one reader have a token in their query.
package enum AddressSecrets {
  package static let mask = "***"

  /// The values of an address's query that may be secrets, by the names of their parameters.
  package static func values(in address: String) -> [String] {
    parameters(of: address).filter(isSecret).compactMap { value(of: $0).map(String.init) }
  }

  /// An address with a mask for each of them.
  package static func masked(_ address: String) -> String {
    guard let mark = Self.mark(in: address), parameters(of: address).contains(where: isSecret)
    else { return address }
    let shown = parameters(of: address).map { parameter in
      isSecret(parameter) ? "\(parameter.prefix { $0 != "=" })=\(mask)" : String(parameter)
    }
    return "\(address[..<mark])?\(shown.joined(separator: "&"))"
  }

  // By bytes, as to find where characters end takes ten times as long.
  private static func mark(in address: String) -> String.Index? {
    address.utf8.firstIndex(of: UInt8(ascii: "?"))
  }

  private static func parameters(of address: String) -> [Substring] {
    guard let mark = mark(in: address) else { return [] }
    return address.utf8[mark...].dropFirst().split(
      separator: UInt8(ascii: "&"), omittingEmptySubsequences: false
    ).map { Substring($0) }
  }

  private static func value(of parameter: Substring) -> Substring? {
    let bytes = parameter.utf8
    return bytes.firstIndex(of: UInt8(ascii: "=")).map { Substring(bytes[$0...].dropFirst()) }
  }

  /// True for a variable's name in braces, as in a declaration, and nothing else.
  private static func isPlaceholder(_ value: Substring) -> Bool {
    let end = value.dropFirst().drop { $0 != "{" && $0 != "}" }
    return value.first == "{" && !end.isEmpty && end.allSatisfy { $0 == "}" }
  }

  /// The names under which feeds for one reader have their key. Any other key may tell two feeds apart.
  private static let keys: Set = [
    "access_key", "accesskey", "authkey", "passkey", "rsskey", "rss_key", "torrent_pass", "userkey",
  ]

  private static func isSecret(_ parameter: Substring) -> Bool {
    guard let value = value(of: parameter), !value.isEmpty, !isPlaceholder(value) else {
      return false
    }
    let name = Substring(parameter.utf8.prefix { $0 != UInt8(ascii: "=") }).lowercased()
    return SecretNames.isParameter(named: name) || name == "sig" || name == "signature"
      || keys.contains(name)
      || ["token", "secret", "passw"].contains { ByteSearch.contains($0, in: name) }
  }
}
