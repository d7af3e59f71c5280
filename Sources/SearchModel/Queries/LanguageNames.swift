/// The codes of three letters (ISO 639-2, both forms) and the English names of languages that networks
/// use instead of the codes of two letters.
enum LanguageNames {
  /// Returns the code of two letters; nil for an unknown name.
  ///
  /// - Parameter name: In lower case.
  static func code(_ name: String) -> String? { codes[name] }

  private static let codes: [String: String] = {
    var codes: [String: String] = [:]
    for line in lines {
      let words = line.split(separator: " ").map(String.init)
      for word in words.dropFirst() { codes[word] = words[0] }
    }
    return codes
  }()

  private static let lines = [
    "ar ara arabic", "bg bul bulgarian", "bn ben bengali", "ca cat catalan",
    "cs ces cze czech", "cy cym wel welsh", "da dan danish", "de deu ger german",
    "el ell gre greek", "en eng english", "es spa spanish", "et est estonian",
    "eu eus baq basque", "fa fas per persian", "fi fin finnish", "fr fra fre french",
    "ga gle irish", "gl glg galician", "he heb hebrew", "hi hin hindi", "hr hrv croatian",
    "hu hun hungarian", "hy hye arm armenian", "id ind indonesian", "is isl ice icelandic",
    "it ita italian", "ja jpn japanese", "ka kat geo georgian", "ko kor korean",
    "la lat latin", "lt lit lithuanian", "lv lav latvian", "mk mkd mac macedonian",
    "ms msa may malay", "nb nob", "nl nld dut dutch", "nn nno", "no nor norwegian", "pl pol polish",
    "pt por portuguese", "ro ron rum romanian", "ru rus russian", "sk slk slo slovak",
    "sl slv slovenian", "sq sqi alb albanian", "sr srp serbian", "sv swe swedish",
    "ta tam tamil", "te tel telugu", "th tha thai", "tl tgl tagalog", "tr tur turkish",
    "uk ukr ukrainian", "ur urd urdu", "vi vie vietnamese", "zh zho chi chinese",
  ]
}
