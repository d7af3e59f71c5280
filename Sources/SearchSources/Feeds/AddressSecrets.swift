internal import SearchModel

/// The secrets in the addresses that users give: feeds for one reader have a token in their query.
package enum AddressSecrets {
  package static let mask = "***"

  /// The values of an address's query that may be secrets, by the names of their parameters.
  package static func values(in address: String) -> [String] {
    parameters(of: address).filter(isSecret).compactMap { value(of: $0).map(String.init) }
  }

  /// An address with a mask for each of them.
  package static func masked(_ address: String) -> String {
    guard let mark = address.firstIndex(of: "?"), parameters(of: address).contains(where: isSecret)
    else { return address }
    let shown = parameters(of: address).map { parameter in
      isSecret(parameter) ? "\(parameter.prefix { $0 != "=" })=\(mask)" : String(parameter)
    }
    return "\(address[..<mark])?\(shown.joined(separator: "&"))"
  }

  /// A server's address without its query, in place of which is a hash of it, so that documents are told apart.
  /// Secrets are no part of that.
  static func marked(_ server: ServerAddress) -> String {
    let whole = masked(server.address(of: "{query}"))
    guard let mark = whole.firstIndex(of: "?") else { return server.text }
    let hash = FeedIdentities.hash([String(whole[mark...])]) & 0xFF_FFFF
    return "\(server.text)?\(String(hash, radix: 16))"
  }

  private static func parameters(of address: String) -> [Substring] {
    guard let mark = address.firstIndex(of: "?") else { return [] }
    return address[address.index(after: mark)...].split(
      separator: "&", omittingEmptySubsequences: false)
  }

  private static func value(of parameter: Substring) -> Substring? {
    parameter.firstIndex(of: "=").map { parameter[parameter.index(after: $0)...] }
  }

  private static func isSecret(_ parameter: Substring) -> Bool {
    guard value(of: parameter)?.isEmpty == false else { return false }
    let name = parameter.prefix { $0 != "=" }.lowercased()
    return SecretNames.isParameter(String(parameter)) || name == "sig" || name == "signature"
      || ["token", "secret", "passw"].contains { name.contains($0) }
  }
}
