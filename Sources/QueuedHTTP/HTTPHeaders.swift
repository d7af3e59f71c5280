/// Header fields in the order they were sent or received; names are compared without case.
///
/// RFC 9110, section 5. A name may stand more than once.
public struct HTTPHeaders: Sendable, Hashable, ExpressibleByDictionaryLiteral {
  /// One field line: a name as it was written, and its value without the blanks around it.
  public struct Field: Sendable, Hashable {
    /// The name as it was written.
    public var name: String
    /// The value without the blanks around it.
    public var value: String

    /// Makes a field line.
    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// All fields in order.
  public private(set) var fields: [Field]

  /// Makes headers of fields, whose order stays.
  public init(_ fields: [Field] = []) { self.fields = fields }

  public init(dictionaryLiteral elements: (String, String)...) {
    fields = elements.map { Field(name: $0.0, value: $0.1) }
  }

  /// The first value of a name; setting it replaces every field of that name.
  public subscript(_ name: String) -> String? {
    get { fields.first { Self.areSame($0.name, name) }?.value }
    set {
      fields.removeAll { Self.areSame($0.name, name) }
      if let newValue { fields.append(Field(name: name, value: newValue)) }
    }
  }

  /// Every value of a name, in order.
  public func values(of name: String) -> [String] {
    fields.filter { Self.areSame($0.name, name) }.map(\.value)
  }

  /// Adds a field behind those that are there.
  public mutating func append(_ name: String, _ value: String) {
    fields.append(Field(name: name, value: value))
  }

  /// Whether two names are the same but for the case of ASCII letters.
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
