internal import Synchronization

/// Header fields in the order in which they are sent or were received; names are case-insensitive.
///
/// RFC 9110, section 5. A name may occur more than once.
public struct HTTPHeaders: Sendable, Hashable, ExpressibleByDictionaryLiteral {
  /// A field: its name as written, and its value without surrounding whitespace.
  public struct Field: Sendable, Hashable {
    /// The name as written.
    public var name: String
    /// The value without surrounding whitespace.
    public var value: String

    /// Creates a field.
    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The lines of a response, until a field is changed: most callers read only a few fields, many none.
  private var received: ReceivedHeaders?
  /// The fields, if they do not come from a response.
  private var own: [Field] = []

  /// All fields in order.
  public private(set) var fields: [Field] {
    get { received?.fields ?? own }
    set {
      received = nil
      own = newValue
    }
  }

  /// True if there are no fields.
  var isEmpty: Bool { received == nil ? own.isEmpty : fields.isEmpty }

  /// Creates headers from fields, in their order.
  public init(_ fields: [Field] = []) { own = fields }

  /// Creates fields in the order of a literal; a name may occur more than once.
  public init(dictionaryLiteral elements: (String, String)...) {
    own = elements.map { Field(name: $0.0, value: $0.1) }
  }

  /// Creates the headers of a response from its raw lines, including the status line; they are parsed
  /// when a field is first read.
  init(received lines: [UInt8]) { received = ReceivedHeaders(lines) }

  /// The first value of a field; setting it replaces all fields with that name.
  public subscript(_ name: String) -> String? {
    get { fields.first { Self.areSame($0.name, name) }?.value }
    set {
      if received != nil { fields = fields }
      own.removeAll { Self.areSame($0.name, name) }
      if let newValue { own.append(Field(name: name, value: newValue)) }
    }
  }

  /// Returns false if no field's name can contain a word, given in lower case.
  ///
  /// The fields of a response are not parsed for this, as most responses lack the field that is sought.
  func mayName(_ word: [UInt8]) -> Bool { received?.mayName(word) ?? true }

  /// All values of a field, in order.
  public func values(of name: String) -> [String] {
    fields.filter { Self.areSame($0.name, name) }.map(\.value)
  }

  /// Adds a field after the others.
  public mutating func append(_ name: String, _ value: String) {
    if received != nil { fields = fields }
    own.append(Field(name: name, value: value))
  }

  /// Adds the default fields whose names are missing here.
  mutating func fill(from defaults: HTTPHeaders) {
    let missing = defaults.fields.filter { self[$0.name] == nil }
    for field in missing { append(field.name, field.value) }
  }

  /// True if the fields are the same, in the same order.
  public static func == (one: Self, other: Self) -> Bool { one.fields == other.fields }

  /// Hashes the fields in their order.
  public func hash(into hasher: inout Hasher) { hasher.combine(fields) }

  /// True if two names differ only in the case of ASCII letters.
  static func areSame(_ one: String, _ other: String) -> Bool {
    let one = one.utf8
    let other = other.utf8
    return one.count == other.count
      && zip(one, other).allSatisfy { lowercased($0) == lowercased($1) }
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }
}

/// The header lines of a response, parsed once, on first use.
private final class ReceivedHeaders: Sendable {
  private let lines: [UInt8]
  private let parsed = Mutex<[HTTPHeaders.Field]?>(nil)

  init(_ lines: [UInt8]) { self.lines = lines }

  var fields: [HTTPHeaders.Field] {
    parsed.withLock { parsed in
      if let parsed { return parsed }
      let fields = Self.fields(in: lines)
      parsed = fields
      return fields
    }
  }

  func mayName(_ word: [UInt8]) -> Bool {
    guard let first = word.first else { return true }
    return lines.indices.dropLast(word.count - 1).contains { place in
      lines[place] | 0x20 == first
        && word.indices.allSatisfy { lines[place + $0] | 0x20 == word[$0] }
    }
  }

  private static func fields(in lines: [UInt8]) -> [HTTPHeaders.Field] {
    var fields: [HTTPHeaders.Field] = []
    var rest = lines[...]
    var isField = false
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      rest = rest[(end + 1)...]
      let line = rest.prefix { $0 != UInt8(ascii: "\n") }
      if let first = line.first, first == 0x20 || first == 0x09 {
        // A line that continues the one before (RFC 9112, sections 2.2 and 5.2).
        if isField { fields[fields.count - 1].value += " " + trimmed(line) }
        continue
      }
      let colon = line.firstIndex(of: UInt8(ascii: ":"))
      isField = colon != nil
      guard let colon else { continue }
      fields.append(
        HTTPHeaders.Field(
          name: trimmed(line[..<colon]), value: trimmed(line[(colon + 1)...])))
    }
    return fields
  }

  /// A name or a value without surrounding whitespace; some servers put a space before the colon.
  private static func trimmed(_ bytes: ArraySlice<UInt8>) -> String {
    let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 || byte == 0x0D }
    let start = bytes.firstIndex { !isBlank($0) } ?? bytes.endIndex
    let last = bytes.lastIndex { !isBlank($0) }.map { $0 + 1 } ?? start
    return String(decoding: bytes[start..<last], as: UTF8.self)
  }
}
