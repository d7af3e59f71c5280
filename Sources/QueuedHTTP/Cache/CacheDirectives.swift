/// The directives of `Cache-Control` that a private cache obeys (RFC 9111, section 5.2).
///
/// Names are case-insensitive; unknown directives are ignored. An invalid duration counts as zero, and of
/// several the shortest counts, so that a malformed response is never used for too long.
struct CacheDirectives: Sendable, Hashable {
  var noStore = false
  var noCache = false
  var mustRevalidate = false
  var isImmutable = false
  var onlyIfCached = false
  var maxAge: Int?
  var minFresh: Int?
  /// `Int.max` if any staleness is accepted.
  var maxStale: Int?
  /// The time for which a stale response may be used during a refresh (RFC 5861, section 3).
  var staleWhileRevalidate: Int?
  /// The time for which a stale response may replace an error (RFC 5861, section 4).
  var staleIfError: Int?

  /// Reads the directives of a request or a response.
  init(_ headers: HTTPHeaders) {
    let values = headers.values(of: "Cache-Control")
    for value in values {
      for directive in Self.split(value) { take(directive) }
    }
    // The older field counts only if the newer one is missing (section 5.4).
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
    // Field names in the directive are ignored.
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

  /// A number of seconds, at most 2^31 (section 1.2.2); 0 if invalid.
  private static func seconds(_ text: Substring?) -> Int {
    guard var text else { return 0 }
    if text.count >= 2, text.first == "\"", text.last == "\"" { text = text.dropFirst().dropLast() }
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return 0 }
    return min(Int(text) ?? .max, 1 << 31)
  }

  /// The members of a list; quoted strings may contain commas.
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
