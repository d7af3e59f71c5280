internal import QueuedHTTP
internal import SearchModel
internal import TextFormats

/// An address with placeholders, such as `https://forum.example/search?q={query}&after={since}`.
///
/// A parameter of its query is omitted if a placeholder in it has no value.
struct AddressTemplate: Hashable, Sendable {
  private static let expected = "an address such as https://forum.example/search?q={query}"

  /// Scheme, host and port.
  let origin: ServerAddress
  private let path: Template<Placeholder>
  private let parameters: [Template<Placeholder>]

  init(_ entry: JSONEntry) throws(DocumentError) {
    let text = try entry.string(expected: "an address with {query} in it")
    let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let separator = parts[0].firstRange(of: "://")
    guard let separator, !text.contains("#"), text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
    else { throw entry.fault(expected: Self.expected) }
    let tail = parts[0][separator.upperBound...]
    let slash = tail.firstIndex(of: "/") ?? tail.endIndex
    guard !tail[..<slash].contains("{"), let origin = ServerAddress(String(parts[0][..<slash]))
    else { throw entry.fault(expected: Self.expected) }
    self.origin = origin
    path = try Template(tail[slash...], at: entry) { slot throws(DocumentError) in
      try Placeholder(slot, at: entry)
    }
    parameters =
      parts.count == 1
      ? []
      : try parts[1].split(separator: "&").map { parameter throws(DocumentError) in
        try Template(parameter, at: entry) { slot throws(DocumentError) in
          try Placeholder(slot, at: entry)
        }
      }
    for slot in path.slots where slot.isOptional && slot.credentialName == nil {
      throw entry.fault(expected: "{cursor}, {since} and {until} after the ? only")
    }
    for parameter in parameters
    where parameter.slots.isEmpty && SecretNames.isParameter(parameter.plain) {
      throw entry.fault(SecretNames.advice)
    }
  }

  var slots: [Placeholder] { path.slots + parameters.flatMap(\.slots) }

  /// Returns the address on a server; nil if a placeholder of its path has no value.
  func address(on server: ServerAddress, _ value: (Placeholder) -> String?) -> String? {
    func encoded(_ slot: Placeholder) -> String? { value(slot).map(PercentEncoding.encode) }
    guard let path = path.filled(encoded) else { return nil }
    let query = parameters.compactMap { $0.filled(encoded) }.joined(separator: "&")
    return server.text + path + (query.isEmpty ? "" : "?\(query)")
  }
}
