/// What an entry of a cache is found by.
///
/// It holds whatever tells one answer from another: the address, the fields that the answer varies
/// with, and the credentials, so that no account is ever served another's answer. That is why its
/// bytes must be written nowhere: a cache that outlives the process keeps a keyed digest of them.
public struct CacheKey: Sendable, Hashable, CustomStringConvertible {
  /// The same bytes for the same key, in every process.
  public let bytes: [UInt8]

  /// Says nothing of what is in it.
  public var description: String { "a cache key" }

  /// The key of what tells the answers of an address apart.
  init(address: String, origin: String) {
    var writer = ByteWriter()
    writer.append(Self.place(of: address, origin: origin))
    bytes = writer.bytes
  }

  /// The key of an answer.
  ///
  /// - Parameter identity: Further texts that tell accounts apart.
  init(
    address: String, origin: String, variants: CacheVariants, request: HTTPRequest,
    userAgent: String?, identity: [String]
  ) {
    var writer = ByteWriter()
    writer.append(Self.place(of: address, origin: origin))
    writer.append(variants.number)
    var names = Set(request.secretHeaders.map { $0.lowercased() })
    names.formUnion(["authorization", "cookie", "host", "proxy-authorization"])
    for list in [variants.names, names.sorted()] {
      writer.append(UInt64(list.count))
      for name in list {
        var values = request.headers.values(of: name)
        if values.isEmpty, name == "user-agent", let userAgent { values = [userAgent] }
        writer.append([name] + values)
      }
    }
    writer.append(identity)
    bytes = writer.bytes
  }

  /// The origin, the user that stands in the address, and the rest of it up to the fragment.
  private static func place(of address: String, origin: String) -> [String] {
    let whole = address.prefix { $0 != "#" }
    guard let scheme = whole.firstRange(of: "://") else { return [origin, "", String(whole)] }
    let rest = whole[scheme.upperBound...]
    let end = rest.firstIndex { "/?".contains($0) } ?? rest.endIndex
    let user = rest[..<end].lastIndex(of: "@").map { rest[..<$0] } ?? ""
    let path = rest[end...]
    return [origin, String(user), path.hasPrefix("/") ? String(path) : "/\(path)"]
  }
}
