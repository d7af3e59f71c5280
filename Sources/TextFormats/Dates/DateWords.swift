/// Turns the words of other languages in a date into what `LooseDate` reads.
enum DateWords {
  /// Returns a text with months as English has them or as numbers; nil when it holds none of the
  /// words that are known.
  static func translated(_ text: String) -> String? {
    let lower = text.lowercased()
    if let korean = korean(lower) { return korean }
    var result = ""
    var isTranslated = false
    var word = ""
    for character in lower + " " {
      if character.isLetter {
        word.append(character)
        continue
      }
      let isWeekday = result.isEmpty && (character == "," || character == ".")
      if !isWeekday, let month = month(word) {
        // `2004-július-13` has a number's place.
        result +=
          result.hasSuffix("-") ? (month < 10 ? "0\(month)" : "\(month)") : english[month - 1]
        isTranslated = true
      } else if result.isEmpty {
        // A day of the week says nothing more.
        guard character.isNumber else {
          word = ""
          continue
        }
      } else {
        result += word
      }
      word = ""
      result.append(character)
    }
    return isTranslated ? result : nil
  }

  /// `2004년 05월 28일 01:31:15` and `2004-05-25 오후 11:23:17`, which are in Korean time.
  private static func korean(_ text: String) -> String? {
    let isAfternoon = text.contains("오후")
    guard text.contains("년") || isAfternoon || text.contains("오전") else { return nil }
    var result = ""
    for character in text {
      switch character {
      case "년", "월":
        result.append("-")
      case "일", "오", "전", "후": result.append(" ")
      case " " where result.hasSuffix("-") || result.hasSuffix(" "): break
      case _: result.append(character)
      }
    }
    let half = isAfternoon ? " pm" : text.contains("오전") ? " am" : ""
    return result + half + " +09:00"
  }

  private static let english = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]

  private static func month(_ word: String) -> Int? {
    guard word.utf8.count >= 3 else { return nil }
    return beginnings.first { word.hasPrefix($0.0) }?.1
  }

  /// What the months begin with in English, German, French, Spanish, Italian, Portuguese, Dutch,
  /// Hungarian and Greek; the longer one of two first.
  private static let beginnings: [(String, Int)] = [
    ("jan", 1), ("ene", 1), ("gen", 1), ("ιαν", 1), ("feb", 2), ("fév", 2), ("fev", 2), ("φεβ", 2),
    ("mär", 3), ("mar", 3), ("mrt", 3), ("már", 3), ("maar", 3), ("μαρ", 3), ("μάρ", 3), ("μάώ", 3),
    ("apr", 4), ("avr", 4), ("abr", 4), ("ápr", 4), ("απρ", 4), ("mai", 5), ("may", 5), ("mag", 5),
    ("mei", 5), ("máj", 5), ("máu", 5), ("μαϊ", 5), ("μαι", 5), ("μάι", 5), ("μαώ", 5), ("jun", 6),
    ("juin", 6), ("giu", 6), ("jún", 6), ("ιουν", 6), ("ιούν", 6), ("ιον", 6), ("jul", 7),
    ("juil", 7), ("lug", 7), ("júl", 7), ("ιουλ", 7), ("ιούλ", 7), ("ιολ", 7), ("aug", 8),
    ("aoû", 8), ("aou", 8), ("ago", 8), ("αυγ", 8), ("αύγ", 8), ("sep", 9), ("set", 9),
    ("szep", 9), ("σεπ", 9), ("oct", 10), ("okt", 10), ("ott", 10), ("out", 10), ("οκτ", 10),
    ("nov", 11), ("νοε", 11), ("νοέ", 11), ("dec", 12), ("dez", 12), ("déc", 12), ("dic", 12),
    ("δεκ", 12),
  ]
}
