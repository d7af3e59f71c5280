/// A picture, a video, sound or another file of a post, as far as its network describes it.
package struct PostAttachment: Hashable, Sendable {
  /// Its kind for people; the raw value is its name in machine formats.
  package enum Kind: String, CaseIterable, Hashable, Sendable {
    case image, video, audio, file

    /// The kind of a MIME type.
    package init(ofType type: String) {
      self = Kind(rawValue: String(type.prefix { $0 != "/" })) ?? .file
    }
  }

  /// The longest MIME type that is kept (RFC 6838, section 4.2: two names of 127 characters).
  private static let longestType = 255

  /// The address; of a video that its network does not hand out, the address of its preview.
  package let url: String
  package let kind: Kind?
  /// The MIME type in lower case, without parameters.
  package let type: String?
  /// A description of what it shows, in the author's words; never empty.
  package let description: String?
  /// The address of a small picture of it.
  package let thumbnail: String?

  /// - Parameters:
  ///   - kind: Its kind, if that is not the one of its type.
  ///   - type: The MIME type; what is none is ignored.
  package init(
    _ url: String, kind: Kind? = nil, type: String? = nil, description: String? = nil,
    thumbnail: String? = nil
  ) {
    let type = type.flatMap(Self.mimeType)
    self.url = url
    self.kind = kind ?? type.map(Kind.init(ofType:))
    self.type = type
    self.description = description.flatMap { $0.isEmpty ? nil : BoundedText.of($0) }
    self.thumbnail = thumbnail
  }

  /// Returns a MIME type in lower case, without parameters; nil for any other text.
  private static func mimeType(_ text: String) -> String? {
    let type = text.prefix { $0 != ";" && $0 != " " }.lowercased()
    let names = type.split(separator: "/", omittingEmptySubsequences: false)
    guard names.count == 2, type.utf8.count <= longestType,
      names.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(isOfName) })
    else { return nil }
    return type
  }

  /// True for the characters of the names in a MIME type.
  private static func isOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
    default: "!#$&-^_.+".utf8.contains(byte)
    }
  }
}
