internal import QueuedHTTP
internal import SearchModel
internal import SearchSources
package import TextFormats

/// A channel of the configuration, to which `--notify` sends new posts.
package struct Channel: Sendable {
  package let name: String
  let service: ChannelService
  /// The address, with credentials in braces.
  let url: CredentialText
  /// Further headers, such as `Authorization`, with credentials in braces.
  let headers: [Header]

  struct Header: Sendable {
    var name: String
    var value: CredentialText
  }

  /// The variables of the credentials that it needs.
  package var credentialNames: [String] { url.names + headers.flatMap(\.value.names) }

  /// Reads a channel: `{"kind": "slack", "url": "{TEAM_WEBHOOK}"}`.
  package init(_ name: String, _ entry: JSONEntry) throws(DocumentError) {
    let expected = #"an object such as {"kind": "slack", "url": "{TEAM_WEBHOOK}"}"#
    let members = try entry.object(knowing: ["kind", "url", "headers"], expected: expected)
    guard let kind = members["kind"], let url = members["url"] else {
      throw entry.fault(expected: expected)
    }
    let kinds = ChannelService.all.map(\.name)
    let text = try kind.string(expected: kinds.inWords("or"))
    guard let service = ChannelService.named(text) else {
      throw kind.fault(Suggestion.refusal(of: text, as: "kind", among: kinds))
    }
    self.name = name
    self.service = service
    self.url = try CredentialText(url, expected: "an address or a credential in braces")
    headers =
      try members["headers"].map { entry throws(DocumentError) in
        try entry.members(expected: "an object of headers").map {
          (name, value) throws(DocumentError) in
          guard HTTPField.Name(name) != nil else { throw value.fault("not a valid header name") }
          return Header(
            name: name, value: try CredentialText(value, expected: "the value of a header"))
        }
      } ?? []
  }
}
