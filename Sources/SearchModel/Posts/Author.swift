internal import TextFormats

/// The author of a post.
package struct Author: Hashable, Sendable {
  /// The unique name on the network, without `@`; empty if unknown.
  package var handle: String
  /// The display name.
  package var name: String?
  /// The address of the profile page.
  package var url: String?

  package init(handle: String = "", name: String? = nil, url: String? = nil) {
    self.handle = handle
    self.name = name
    self.url = url
  }
}

extension Author {
  /// The handle as people know it; nil for none, and for an identifier that its network makes up, where
  /// there is a name to show instead.
  package var shownHandle: String? {
    guard !handle.isEmpty else { return nil }
    guard name?.isEmpty == false else { return handle }
    var copy = handle
    return copy.withUTF8 { Self.isIdentifier($0) } ? nil : handle
  }

  private static let did = Array("did:".utf8)

  /// True for a number, as on Stack Exchange, a channel of YouTube, a DID of Bluesky, and for a name with
  /// blanks, as deleted accounts have them.
  package static func isIdentifier(_ handle: UnsafeBufferPointer<UInt8>) -> Bool {
    // Most are neither numbers nor as long.
    if handle.first?.isASCIIDigit == false, handle.count < 24,
      !handle.starts(with: did)
    {
      return handle.contains(0x20)
    }
    return handle.allSatisfy(\.isASCIIDigit)
      || handle.count == 24 && handle.starts(with: "UC".utf8) || handle.starts(with: did)
      || handle.contains(0x20)
  }
}
