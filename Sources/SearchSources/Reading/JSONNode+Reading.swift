internal import QueuedHTTP
internal import SearchModel
internal import TextFormats

extension JSONNode {
  /// The elements of the list under a key; none if there is no such list.
  func list(_ key: StaticString) -> NodeList { NodeList(self[key]) }

  /// Returns the texts of a list of objects: of each object the one with this key, unless it is empty.
  func texts(_ key: StaticString, in list: StaticString) -> [String] {
    self.list(list).compactMap { $0[key]?.text }
  }

  /// The same texts as UTF-8, valid as long as the nodes.
  func textBytes(_ key: StaticString, in list: StaticString) -> NodeTexts {
    NodeTexts(key, of: self[list])
  }

  /// A string that is not empty; nil for anything else.
  var text: String? { string.flatMap { $0.isEmpty ? nil : $0 } }

  /// A post's visibility; nil for null, and private for what cannot be understood.
  var visibility: Visibility? {
    kind == .null ? nil : string.map { Visibility(named: $0) } ?? .private
  }

  /// True unless it is null, `false`, zero or empty, or one of these as a text.
  var isFilled: Bool {
    switch kind {
    case .bool: bool == true
    case .number: double != 0
    case .string: string.map { !["", "0", "false"].contains($0.prefix(6).lowercased()) } ?? false
    case .object, .array: childCount > 0
    case .null: false
    }
  }

  /// A whole number, such as a number of likes; nil for anything else.
  var count: Int? { integer.flatMap(Int.init(exactly:)) }

  /// An http or https address; nil for anything else, as servers may put anything here.
  var address: String? { string.flatMap { $0.isHTTPURL ? $0 : nil } }
}

/// The elements of a list that may be absent.
struct NodeList: Sequence, IteratorProtocol {
  private var elements: JSONElements?

  init(_ node: JSONNode?) { elements = node?.elements }

  mutating func next() -> JSONNode? { elements?.next() }

  var first: JSONNode? {
    var copy = self
    return copy.next()
  }
}

/// Of each object of a list that may be absent the text under a key, unless it is empty; valid as long as its
/// nodes.
struct NodeTexts: Sequence, IteratorProtocol {
  private var objects: NodeList
  private let key: StaticString

  init(_ key: StaticString, of list: JSONNode?) {
    objects = NodeList(list)
    self.key = key
  }

  mutating func next() -> UnsafeBufferPointer<UInt8>? {
    while let object = objects.next() {
      if let bytes = object[key]?.stringBytes, !bytes.isEmpty { return bytes }
    }
    return nil
  }
}

/// The key of a member, to `switch` over; valid as long as the node that it was made of.
///
/// It is in this module, and not beside `JSONNode`, so that the comparisons, a dozen for each member,
/// are compiled into the `switch`.
struct MemberKey {
  private let bytes: UnsafeBufferPointer<UInt8>

  init(_ key: JSONNode) {
    bytes = key.wholeStringBytes ?? UnsafeBufferPointer(start: nil, count: 0)
  }

  @inline(__always)
  static func ~= (text: StaticString, key: MemberKey) -> Bool {
    guard key.bytes.count == text.utf8CodeUnitCount, let start = key.bytes.baseAddress else {
      return false
    }
    return ByteSearch.areSame(start, text.utf8Start, count: text.utf8CodeUnitCount)
  }
}

extension PageDraft {
  /// Keeps a string; anything else is none.
  mutating func keep(_ node: JSONNode?) -> TextRange { keep(node?.stringBytes) }

  /// Keeps a string that is not empty; anything else is none.
  mutating func keep(text node: JSONNode?) -> TextRange {
    guard let bytes = node?.stringBytes, !bytes.isEmpty else { return .none }
    return keep(bytes)
  }

  /// Keeps an identifier, as `JSONNode.identifier` defines it.
  ///
  /// - Parameter other: A text that was kept before, and may end with it.
  mutating func keep(identifier node: JSONNode?, endOf other: TextRange = .none) -> TextRange {
    guard let node else { return .none }
    guard let bytes = node.stringBytes else { return keep(node.identifier) }
    return bytes.isEmpty ? .none : keep(bytes, endOf: other)
  }
}

/// A handle or key as one part of an address's path.
enum PathPart {
  /// Returns a text that may occur in a path unchanged, and any other percent-encoded.
  static func of(_ text: some StringProtocol) -> String {
    var text = String(text)
    let isPlain = text.withUTF8 { bytes in bytes.allSatisfy { Self.isPlain($0) } }
    return isPlain ? text : PercentEncoding.encode(text)
  }

  /// Appends an identifier as such a part.
  static func append(_ node: JSONNode?, to bytes: inout ByteBlock) {
    if let text = node?.stringBytes {
      append(text, to: &bytes)
    } else if let number = node?.identifier {
      bytes.append(number)
    }
  }

  /// Appends such a part.
  static func append(_ text: UnsafeBufferPointer<UInt8>, to bytes: inout ByteBlock) {
    if isPlain(text) { return bytes.append(text) }
    bytes.append(of(String(decoding: text, as: UTF8.self)))
  }

  private static func isPlain(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    var position = 0
    let raw = UnsafeRawBufferPointer(text)
    // Eight at a time, the last eight together with those before them where they do not divide the number.
    while position < text.count, text.count >= 8,
      areLettersOrDigits(
        raw.loadUnaligned(fromByteOffset: min(position, text.count - 8), as: UInt64.self))
    {
      position += 8
    }
    while position < text.count, isPlain(text[position]) { position += 1 }
    return position >= text.count
  }

  /// True if each of eight bytes is a letter or a digit, as most are.
  // A sum reaches the highest bit of a byte from the first one of a range on, another after its last one.
  private static func areLettersOrDigits(_ bytes: UInt64) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let lower = bytes | ones &* 0x20
    let digits = (bytes &+ ones &* (0x80 - 0x30)) & ~(bytes &+ ones &* (0x7F - 0x39))
    let letters = (lower &+ ones &* (0x80 - 0x61)) & ~(lower &+ ones &* (0x7F - 0x7A))
    return ~((digits | letters) & ~bytes) & (ones &* 0x80) == 0
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    // As most are.
    if byte.isASCIILetterOrDigit { return true }
    return switch byte {
    case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"),
      UInt8(ascii: ":"):
      true
    default: false
    }
  }
}
