internal import FoundationEssentials
package import QueuedHTTP
internal import SearchModel
internal import TextFormats

extension PageRequest {
  /// The secrets to mask in messages, as a server may echo what it was sent.
  var secrets: [String] { credentialSecrets + sessionSecrets + addressSecrets }

  /// The secrets that its request has. A session takes the place of the credentials, one of which may be a name.
  private var sentSecrets: [String] {
    (session == nil ? credentialSecrets : sessionSecrets) + addressSecrets
  }

  private var credentialSecrets: [String] {
    let values = credentials?.values ?? []
    // As `Authorization: Basic` sends a name and a password (RFC 7617).
    let pair = Data(values.joined(separator: ":").utf8).base64EncodedString()
    return values + (values.count > 1 ? [pair] : [])
  }

  private var sessionSecrets: [String] {
    [session?.accessToken, session?.refreshToken].compactMap(\.self)
  }

  private var addressSecrets: [String] {
    AddressSecrets.values(in: server.address(of: "{query}"))
  }

  /// Returns whether a response repeats a secret of its request, in any spelling: some networks state the whole address
  /// of the next page, with the token in it.
  package func hasSecrets(in response: HTTPResponse) -> Bool {
    let secrets = SpelledText.secrets(sentSecrets)
    guard !secrets.isEmpty else { return false }
    let body = response.body.withUnsafeBytes { Array($0) }
    let fields = response.headers.fields.map { Array($0.value.utf8) }
    return secrets.contains { $0.occurs(in: body) || fields.contains(where: $0.occurs) }
  }
}
