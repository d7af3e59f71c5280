/// The directives of `Cache-Control` that a private cache obeys (RFC 9111, section 5.2).
///
/// Names are read without case, what is unknown is passed over. A length that is no whole number
/// counts as nothing, and of several the shortest, so that what is malformed is never used for too
/// long.
struct CacheDirectives: Sendable, Hashable {
  var noStore = false
  var noCache = false
  var mustRevalidate = false
  var isImmutable = false
  var onlyIfCached = false
  var maxAge: Int?
  var minFresh: Int?
  /// `Int.max` where any staleness will do.
  var maxStale: Int?
  /// How long after its end a response may be used while it is asked for anew (RFC 5861, section 3).
  var staleWhileRevalidate: Int?
  /// How long after its end a response may be used in place of an error (RFC 5861, section 4).
  var staleIfError: Int?

  /// Reads the fields of a request or a response.
  init(_ headers: HTTPHeaders) {
    let values = headers.values(of: "Cache-Control")
    for value in values {
      for directive in Self.split(value) { take(directive) }
    }
    // Only where the newer field is missing does the older one count (section 5.4).
    if values.isEmpty,
      headers.values(of: "Pragma").contains(where: { $0.lowercased() == "no-cache" })
    {
      noCache = true
    }
  }

  private mutating func take(_ directive: Substring) {
    let parts = directive.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = Self.trimmed(parts[0]).lowercased()
    let argument = parts.count > 1 ? Self.trimmed(parts[1]) : nil
    switch name {
    case "no-store": noStore = true
    // One that names fields is obeyed as one that names none.
    case "no-cache": noCache = true
    case "must-revalidate": mustRevalidate = true
    case "immutable": isImmutable = true
    case "only-if-cached": onlyIfCached = true
    case "max-age": maxAge = min(maxAge ?? .max, Self.seconds(argument))
    case "min-fresh": minFresh = max(minFresh ?? 0, Self.seconds(argument))
    case "stale-while-revalidate":
      staleWhileRevalidate = min(staleWhileRevalidate ?? .max, Self.seconds(argument))
    case "stale-if-error": staleIfError = min(staleIfError ?? .max, Self.seconds(argument))
    case "max-stale":
      maxStale = min(maxStale ?? .max, argument.map { Self.seconds($0) } ?? .max)
    case _: break
    }
  }

  /// A whole number of seconds, at most 2^31 (section 1.2.2); 0 for other text.
  private static func seconds(_ text: Substring?) -> Int {
    guard var text else { return 0 }
    if text.count >= 2, text.first == "\"", text.last == "\"" { text = text.dropFirst().dropLast() }
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return 0 }
    return min(Int(text) ?? .max, 1 << 31)
  }

  /// The members of a list, whose quoted texts may hold commas.
  private static func split(_ value: String) -> [Substring] {
    var isQuoted = false
    var isEscaped = false
    return value.split { character in
      if isEscaped {
        isEscaped = false
        return false
      }
      switch character {
      case "\\" where isQuoted: isEscaped = true
      case "\"": isQuoted.toggle()
      case _: break
      }
      return character == "," && !isQuoted
    }
  }

  private static func trimmed(_ text: Substring) -> Substring {
    let isBlank = { (character: Character) in character == " " || character == "\t" }
    let start = text.drop(while: isBlank)
    return start.lastIndex { !isBlank($0) }.map { start[...$0] } ?? ""
  }
}
