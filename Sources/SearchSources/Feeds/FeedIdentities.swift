internal import FoundationEssentials
internal import TextFormats

/// The identifiers of the entries of one feed, the same in any order of entries, and in every run unless the feed
/// starts or stops using one name for several entries.
///
/// Some feeds have one link or guid for many entries. Two entries are the same only if guid, link, title
/// and date all agree, or without a date, the text. The name of an entry is its guid, or else its link;
/// if other entries have that name too, a hash of link, title and date or text is added.
struct FeedIdentities {
  private enum Owner {
    /// Entries with this hash only.
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
    hash([entry.link, entry.title, date(of: entry) ?? entry.text])
  }

  private static func date(of entry: FeedEntry) -> String? { entry.date.map(RFC3339.format) }

  /// The FNV-1a hash, which is the same in every run, unlike that of `Hasher`.
  static func hash(_ parts: [String?]) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for part in parts {
      for byte in (part ?? "").utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
      hash = (hash ^ 0xFF) &* 0x100_0000_01B3
    }
    return hash
  }
}
