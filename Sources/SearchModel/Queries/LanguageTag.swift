/// Languages by their primary subtag (BCP 47): `de` of `de-AT`.
package enum LanguageTag {
  /// Returns the language of a network's tag, which may be a code of three letters (`eng`) or an English
  /// name; nil for none, or for one that means unknown (`und`, `zxx`, X's `qme`).
  package static func primary(_ tag: String?) -> String? {
    guard let subtag = tag?.split(whereSeparator: { $0 == "-" || $0 == "_" }).first,
      let language = known(subtag) ?? LanguageNames.code(subtag.lowercased())
    else { return nil }
    let isUnknown =
      ["und", "zxx", "mul", "mis"].contains(language)
      // Reserved for private use.
      || (language.count == 3 && language >= "qaa" && language <= "qtz")
    return isUnknown ? nil : language
  }

  /// The codes with which networks mark posts in a language that a user names: some have a code for the whole and codes
  /// for its forms (https://iso639-3.sil.org/code/nor, https://iso639-3.sil.org/code/fil).
  package static func codes(of language: String) -> [String] {
    switch language {
    case "no": ["no", "nb", "nn"]
    case "nb", "nn": [language, "no"]
    case "fil": ["fil", "tl"]
    case "tl": ["tl", "fil"]
    default: [language]
    }
  }

  /// Returns whether a post in some languages is in one that a user names.
  package static func isAny(_ known: [String], of language: String) -> Bool {
    known.contains(language) || codes(of: language).contains(where: known.contains)
  }

  /// Returns whether `primary` leaves a tag as it is, as far as its bytes tell: false says nothing.
  package static func isPrimary(_ tag: UnsafeBufferPointer<UInt8>) -> Bool {
    guard tag.count == 2, tag.allSatisfy({ (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) })
    else { return false }
    return !["iw", "in", "ji"].contains { (code: StaticString) in
      tag[0] == code.utf8Start[0] && tag[1] == code.utf8Start[1]
    }
  }

  /// Returns the known languages of a post.
  package static func all(of post: Post) -> [String] {
    ([post.language] + post.furtherLanguages).compactMap(primary)
  }

  /// Returns the language that a user typed; nil if it is not a language tag.
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
    // Codes that ISO 639 has withdrawn, but X still uses.
    switch subtag.lowercased() {
    case "iw": return "he"
    case "in": return "id"
    case "ji": return "yi"
    case let language where language.count == 3: return LanguageNames.code(language) ?? language
    case let language: return language
    }
  }
}
