internal import TextFormats

/// The versions of a feed's entries, where each has an identifier of its own.
struct FeedVersions: Sendable {
  /// The letters before the number at the end of such an identifier; nil where an entry keeps its own.
  var letters: String?

  /// Returns the identifier of an entry's first version: `2411.00001v1` of `2411.00001v2`, where the letters are `v`.
  func first(of id: String) -> String {
    guard let letters else { return id }
    let digits = id.utf8.reversed().prefix(while: \.isASCIIDigit).count
    let stem = id.dropLast(digits)
    return digits > 0 && stem.hasSuffix(letters) ? stem + "1" : id
  }
}
