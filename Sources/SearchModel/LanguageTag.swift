/// Languages by their primary subtag (BCP 47): `de` of `de-AT`.
package enum LanguageTag {
  /// Returns what a network says of a post's language; nil where it says nothing, or that it does not
  /// know (`und`, `zxx`, X's `qme`).
  package static func primary(_ tag: String?) -> String? {
    guard let subtag = tag?.split(whereSeparator: { $0 == "-" || $0 == "_" }).first,
      let language = known(subtag)
    else { return nil }
    let isUnknown =
      ["und", "zxx", "mul", "mis"].contains(language)
      // Reserved for private use.
      || (language.count == 3 && language >= "qaa" && language <= "qtz")
    return isUnknown ? nil : language
  }

  /// Returns the language that a user names; nil for what is none.
  package static func primary(typed text: some StringProtocol) -> String? {
    let subtags = text.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "_" }
    let areWhole = subtags.allSatisfy { subtag in
      (1...8).contains(subtag.count)
        && subtag.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }
    guard areWhole, let first = subtags.first else { return nil }
    return known(first)
  }

  private static func known(_ subtag: some StringProtocol) -> String? {
    guard (2...3).contains(subtag.count), subtag.allSatisfy({ $0.isASCII && $0.isLetter }) else {
      return nil
    }
    // Codes that ISO 639 has withdrawn, and X still writes.
    switch subtag.lowercased() {
    case "iw": return "he"
    case "in": return "id"
    case "ji": return "yi"
    case let language: return language
    }
  }
}
