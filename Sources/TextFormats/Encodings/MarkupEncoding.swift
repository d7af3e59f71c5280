/// Detects the encoding of an XML document or another text from the web.
///
/// A byte order mark is certain, then the form of the first characters; next come the transport's
/// declaration and the document's own (RFC 7303, section 3). Neither is always right: text that is
/// valid UTF-8 is hardly ever anything else. Text that fits nothing is UTF-8 with stray bytes of
/// Windows-1252 if most of it is UTF-8 or something says that it is, otherwise Windows-1252.
package enum MarkupEncoding {
  /// Returns the text as UTF-8 without a byte order mark.
  ///
  /// - Parameter charset: The transport's declaration, such as the parameter of a `Content-Type`.
  @unsafe
  package static func utf8(_ bytes: UnsafeRawBufferPointer, charset: String?) -> [UInt8] {
    if let (length, width, isBigEndian) = unsafe mark(of: bytes) {
      let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[length...])
      guard width > 1 else { return unsafe TextEncoding.westernUTF8(rest) }
      return unsafe TextEncoding.wide(rest, width: width, isBigEndian: isBigEndian)
    }
    if let (width, isBigEndian) = unsafe form(of: bytes) {
      return unsafe TextEncoding.wide(bytes, width: width, isBigEndian: isBigEndian)
    }
    if unsafe begins(bytes, with: [0x4C, 0x6F, 0xA7, 0x94]),
      let text = unsafe TextEncoding.named("IBM037", bytes)
    {
      return text
    }
    let declared = unsafe declaration(of: bytes).flatMap { EncodingLabel($0) }
    let stated = charset.flatMap { EncodingLabel($0) }
    let isUTF8 = unsafe TextEncoding.isUTF8(bytes)
    if isUTF8, declared == .utf8 { return unsafe Array(bytes) }
    for label in [stated, declared] {
      switch label {
      case .utf8?, .western?: if isUTF8 { return unsafe Array(bytes) }
      case .other(let name)?:
        if let text = unsafe TextEncoding.named(name, bytes) { return text }
      // Units of 16 bits would have been detected by their form.
      case .utf16?, nil: break
      }
    }
    if isUTF8 { return unsafe Array(bytes) }
    // A letter that was cut in half must not spoil all others.
    return unsafe stated == .utf8 || declared == .utf8 || TextEncoding.isMostlyUTF8(bytes)
      ? TextEncoding.westernUTF8(bytes) : TextEncoding.western(bytes)
  }

  /// The length of a byte order mark, and the width and order of the units after it.
  @unsafe
  private static func mark(
    of bytes: UnsafeRawBufferPointer
  ) -> (length: Int, width: Int, isBigEndian: Bool)? {
    let marks: [(bytes: [UInt8], width: Int, isBigEndian: Bool)] = [
      ([0xEF, 0xBB, 0xBF], 1, false), ([0xFF, 0xFE, 0, 0], 4, false),
      ([0, 0, 0xFE, 0xFF], 4, true),
      ([0xFF, 0xFE], 2, false), ([0xFE, 0xFF], 2, true),
    ]
    return marks.first { unsafe begins(bytes, with: $0.bytes) }
      .map { ($0.bytes.count, $0.width, $0.isBigEndian) }
  }

  /// The units of the first character if that is `<` (XML 1.0, appendix F).
  @unsafe
  private static func form(
    of bytes: UnsafeRawBufferPointer
  ) -> (width: Int, isBigEndian: Bool)? {
    let forms: [(bytes: [UInt8], width: Int, isBigEndian: Bool)] = [
      ([0x3C, 0, 0, 0], 4, false), ([0, 0, 0, 0x3C], 4, true), ([0x3C, 0], 2, false),
      ([0, 0x3C], 2, true),
    ]
    return forms.first { unsafe begins(bytes, with: $0.bytes) }
      .map { ($0.width, $0.isBigEndian) }
  }

  @unsafe
  private static func begins(_ bytes: UnsafeRawBufferPointer, with start: [UInt8]) -> Bool {
    guard bytes.count >= start.count else { return false }
    return unsafe bytes.prefix(start.count).elementsEqual(start)
  }

  /// The encoding in the XML declaration, which must be near the beginning.
  @unsafe
  private static func declaration(of bytes: UnsafeRawBufferPointer) -> Substring? {
    let start = unsafe String(decoding: bytes.prefix(1024), as: UTF8.self)
    guard let begin = start.firstRange(of: "<?xml"),
      let end = start[begin.upperBound...].firstRange(of: "?>"),
      let word = start[begin.upperBound..<end.lowerBound].firstRange(of: "encoding")
    else { return nil }
    let rest = start[word.upperBound..<end.lowerBound]
    return rest.drop { $0.isWhitespace || $0 == "=" || $0 == "\"" || $0 == "'" }
      .prefix { !$0.isWhitespace && $0 != "\"" && $0 != "'" }
  }
}

/// An encoding by the names that servers and documents use, with its meaning in practice.
///
/// Only encodings found in feeds are known: the name is untrusted, and the conversion library would
/// load whatever it is asked for.
private enum EncodingLabel: Hashable {
  case utf8
  /// ASCII, ISO 8859-1 and Windows-1252, all read as the last
  /// (<https://encoding.spec.whatwg.org/#names-and-labels>).
  case western
  case utf16(isBigEndian: Bool?)
  /// Another one, by its name for iconv.
  case other(String)

  /// Returns nil for an unknown encoding.
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
    default:
      guard let known = Self.named[plain] ?? Self.numbered(plain) else { return nil }
      self = .other(known)
    }
  }

  // Chinese and Korean names mean the larger sets that are used in practice.
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
