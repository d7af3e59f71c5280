package import FoundationEssentials

extension JSONNode {
  /// The moment that a string spells as RFC 3339 does; nil for anything else.
  package func rfc3339(allowing allowance: RFC3339.Allowance = []) -> Date? {
    guard let bytes = unsafe stringBytes else { return nil }
    return unsafe RFC3339.parse(utf8: bytes, allowing: allowance)
  }

  /// The moment that a string spells as mail or `asctime` does; nil for anything else.
  package var rfc822: Date? {
    guard let bytes = unsafe stringBytes else { return nil }
    return unsafe RFC822.parse(utf8: bytes)
  }
}
