internal import TextFormats

/// The identifiers of the entries of one answer, the same in every run and in any order of entries.
///
/// Feeds give one link or guid to many entries. Two entries are the same only if guid, link, title and
/// date all agree; what an entry is called is its guid, or else its link, and where other entries are
/// called that too, a hash of link, title and date is added.
struct FeedIdentities {
  private enum Owner {
    /// The entries of one hash.
    case entry(UInt64)
    case several
  }

  private var owners: [String: Owner] = [:]

  init(of entries: [FeedEntry]) {
    for entry in entries {
      guard let name = Self.name(of: entry) else { continue }
      let hash = Self.hash(of: entry)
      switch owners[name] {
      case nil: owners[name] = .entry(hash)
      case .entry(hash)?, .several?: break
      case .entry?: owners[name] = .several
      }
    }
  }

  /// The identifier of one of the entries.
  func id(of entry: FeedEntry) -> String {
    guard let name = Self.name(of: entry) else {
      let parts = [entry.title, Self.date(of: entry), entry.text] + entry.media
      return String(Self.hash(parts), radix: 16)
    }
    guard case .several? = owners[name] else { return name }
    return "\(name)~\(String(Self.hash(of: entry), radix: 16))"
  }

  private static func name(of entry: FeedEntry) -> String? {
    [entry.id, entry.link].lazy.compactMap(\.self).first { !$0.isEmpty }
  }

  private static func hash(of entry: FeedEntry) -> UInt64 {
    hash([entry.link, entry.title, date(of: entry)])
  }

  private static func date(of entry: FeedEntry) -> String? { entry.date.map(RFC3339.format) }

  /// FNV-1a, which is the same in every run, as `Hasher` is not.
  private static func hash(_ parts: [String?]) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for part in parts {
      for byte in (part ?? "").utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
      hash = (hash ^ 0xFF) &* 0x100_0000_01B3
    }
    return hash
  }
}
