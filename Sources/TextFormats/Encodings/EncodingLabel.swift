/// The name of an encoding as servers and documents write it, and what it means in practice.
///
/// Only encodings that feeds are written in are known: the name comes from a stranger, and the
/// library that converts would load whatever it is asked for.
enum EncodingLabel: Hashable {
  case utf8
  /// ASCII, ISO 8859-1 and Windows-1252, which is what all three are read as
  /// (<https://encoding.spec.whatwg.org/#names-and-labels>).
  case western
  case utf16(isBigEndian: Bool?)
  /// Another one, by the name that libxml2's converter knows it by.
  case other(String)

  /// Reads a name; nil when it names no encoding that is known.
  init?(_ name: some StringProtocol) {
    guard name.utf8.count <= 40 else { return nil }
    let plain = name.lowercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
    switch plain {
    case "utf8", "unicode11utf8": self = .utf8
    case "usascii", "ascii", "ansix341968", "iso88591", "latin1", "l1", "cp819", "ibm819",
      "windows1252", "cp1252", "xcp1252", "isoir100":
      self = .western
    case "utf16", "ucs2", "iso10646ucs2", "unicode": self = .utf16(isBigEndian: nil)
    case "utf16le", "unicodefffe": self = .utf16(isBigEndian: false)
    case "utf16be", "unicodefeff": self = .utf16(isBigEndian: true)
    case _:
      guard let known = Self.named[plain] ?? Self.numbered(plain) else { return nil }
      self = .other(known)
    }
  }

  // Chinese and Korean names stand for the larger sets that are really used under them.
  private static let named = [
    "gb2312": "GB18030", "gbk": "GB18030", "gb18030": "GB18030", "xgbk": "GB18030",
    "euccn": "GB18030", "cp936": "GB18030", "gb231280": "GB18030", "csgb2312": "GB18030",
    "big5": "BIG5-HKSCS", "big5hkscs": "BIG5-HKSCS", "xxbig5": "BIG5-HKSCS", "cp950": "BIG5-HKSCS",
    "euckr": "CP949", "ksc56011987": "CP949", "ksc5601": "CP949", "uhc": "CP949", "cp949": "CP949",
    "johab": "JOHAB", "shiftjis": "CP932", "sjis": "CP932", "xsjis": "CP932", "mskanji": "CP932",
    "windows31j": "CP932", "cp932": "CP932", "eucjp": "EUC-JP", "ujis": "EUC-JP",
    "iso2022jp": "ISO-2022-JP", "koi8r": "KOI8-R", "koi8": "KOI8-R", "koi8u": "KOI8-U",
    "tis620": "CP874", "macintosh": "MACINTOSH", "macroman": "MACINTOSH",
    "xmacroman": "MACINTOSH", "maccyrillic": "MAC-CYRILLIC", "xmaccyrillic": "MAC-CYRILLIC",
    "latin2": "ISO-8859-2", "latin3": "ISO-8859-3", "latin4": "ISO-8859-4",
    "latin5": "ISO-8859-9", "latin6": "ISO-8859-10", "latin9": "ISO-8859-15",
    "cyrillic": "ISO-8859-5", "arabic": "ISO-8859-6", "greek": "ISO-8859-7",
    "hebrew": "ISO-8859-8", "iso88598i": "ISO-8859-8", "utf32": "UTF-32", "utf32le": "UTF-32LE",
    "utf32be": "UTF-32BE", "ebcdiccpus": "IBM037",
  ]

  private static let numbers: Set = [
    "iso8859": ["2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "13", "14", "15", "16"],
    "cp": [
      "037", "437", "500", "737", "775", "850", "852", "855", "857", "858", "860", "861", "862",
      "863", "864", "865", "866", "869", "874", "1250", "1251", "1253", "1254", "1255", "1256",
      "1257", "1258",
    ],
  ].reduce(into: Set<String>()) { all, family in
    for number in family.value { all.insert(family.key + number) }
  }

  private static func numbered(_ plain: String) -> String? {
    for (prefix, family, written) in [
      ("iso8859", "iso8859", "ISO-8859-"), ("windows", "cp", "CP"), ("xcp", "cp", "CP"),
      ("cp", "cp", "CP"), ("ibm", "cp", "CP"),
    ] where plain.hasPrefix(prefix) {
      let number = plain.dropFirst(prefix.count)
      if numbers.contains(family + number) { return written + number }
    }
    return nil
  }
}
