internal import TextFormats

/// The topics of posts: what their networks call tags, hashtags, labels or categories.
package enum Topic {
  /// The most topics of a post that are kept.
  static let most = 200
  /// The longest topic that is kept, in UTF-8.
  private static let longest = 1000

  /// Returns names on one line each, as they were given, each once; empty and overlong ones are left out.
  static func bounded(_ names: [String]) -> [String] {
    if names.isEmpty { return [] }
    var topics: [String] = []
    for name in names where name.utf8.count <= longest {
      let topic = line(name)
      if !topic.isEmpty, !topics.contains(topic) { topics.append(topic) }
      if topics.count == most { break }
    }
    return topics
  }

  /// Returns whether `bounded` keeps names as they are, as far as their bytes tell: false says nothing.
  package static func areBounded(_ names: [UnsafeBufferPointer<UInt8>]) -> Bool {
    guard names.count <= most else { return false }
    for (index, name) in names.enumerated() {
      guard isPlain(name), !names[..<index].contains(where: { $0.elementsEqual(name) }) else {
        return false
      }
    }
    return true
  }

  /// Returns whether `bounded` keeps a name as it is, as far as its bytes tell: false says nothing.
  static func isPlain(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    !name.isEmpty && name.count <= longest && name.allSatisfy { $0 > 0x20 && $0 < 0x7F }
  }

  private static func line(_ name: String) -> String {
    // As most are.
    if name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) { return name }
    return name.onOneLine
  }

  /// Returns the text by which topics are compared: in NFC and without differences of case, without a
  /// leading `#` and without blanks, hyphens and underscores. It may be empty.
  package static func key(_ name: String) -> String {
    if let key = name.utf8.withContiguousStorageIfAvailable(plainKey), let key { return key }
    let name = name.first == "#" || name.first == "\u{FF03}" ? name.dropFirst() : name[...]
    // Both, as full case folding would: "ß" becomes "ss", and "ς" becomes "σ".
    let folded = name.uppercased().lowercased()
    var key = String.UnicodeScalarView()
    key.append(contentsOf: NormalForm.composed(folded).unicodeScalars.lazy.filter { !isGap($0) })
    return String(key)
  }

  /// Returns the key of a name in ASCII, as most are; nil for another one.
  private static func plainKey(_ name: UnsafeBufferPointer<UInt8>) -> String? {
    guard name.allSatisfy({ $0 < 0x80 }) else { return nil }
    return String(unsafeUninitializedCapacity: name.count) { key in
      var count = 0
      for byte in PlainKey(name) {
        key[count] = byte
        count += 1
      }
      return count
    }
  }

  /// Returns whether two names have the same key; nil if one of them is not in ASCII.
  package static func areSame(
    _ one: UnsafeBufferPointer<UInt8>, _ other: UnsafeBufferPointer<UInt8>
  ) -> Bool? {
    guard one.allSatisfy({ $0 < 0x80 }), other.allSatisfy({ $0 < 0x80 }) else { return nil }
    var (one, other) = (PlainKey(one), PlainKey(other))
    while let byte = one.next() {
      if other.next() != byte { return false }
    }
    return other.next() == nil
  }

  /// The bytes of the key of a name in ASCII.
  private struct PlainKey: Sequence, IteratorProtocol {
    private let name: UnsafeBufferPointer<UInt8>
    private var position: Int

    init(_ name: UnsafeBufferPointer<UInt8>) {
      self.name = name
      position = name.first == UInt8(ascii: "#") ? 1 : 0
    }

    mutating func next() -> UInt8? {
      while position < name.count {
        let byte = name[position]
        position += 1
        switch byte {
        case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: " "): continue
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): return byte | 0x20
        default: return byte
        }
      }
      return nil
    }
  }

  /// Returns whether a text may have hashtags, as most texts have none: whether `#` or the first byte of the
  /// wide mark is in it.
  package static func mayHaveHashtags(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    ByteSearch.first(UInt8(ascii: "#"), in: text, from: 0) != nil
      || ByteSearch.first(0xEF, in: text, from: 0) != nil
  }

  /// Returns the keys of the hashtags in a text; of one that ends at a hyphen, with and without the rest.
  package static func keys(ofHashtagsIn text: String) -> [String] {
    if text.utf8.withContiguousStorageIfAvailable(mayHaveHashtags) == false { return [] }
    var keys: [String] = []
    var rest = text.utf8[...]
    // EF is the first byte of the wide mark.
    while let start = rest.firstIndex(where: { $0 == UInt8(ascii: "#") || $0 == 0xEF }) {
      let mark = text.unicodeScalars[start]
      rest = rest[start...].dropFirst()
      guard mark == "#" || mark == "\u{FF03}" else { continue }
      let name = text.unicodeScalars[start...].dropFirst().prefix(while: isOfName)
      let short = name.prefix { $0 != "-" }
      if !short.isEmpty { keys.append(key(String(short))) }
      if !short.isEmpty, short.endIndex != name.endIndex { keys.append(key(String(name))) }
    }
    return keys
  }

  private static func isOfName(_ scalar: Unicode.Scalar) -> Bool {
    if scalar == "-" || scalar == "_" { return true }
    let properties = scalar.properties
    return properties.isAlphabetic || properties.numericType != nil
      || properties.generalCategory == .nonspacingMark
  }

  private static func isGap(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "-", "_", " ", "\u{2010}", "\u{2011}": true
    default: !scalar.isASCII && scalar.properties.isWhitespace
    }
  }
}
