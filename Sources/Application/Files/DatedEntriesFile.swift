internal import FoundationEssentials
internal import SafeFiles
internal import TextFormats

/// A small JSON file of dated entries by key, kept from one run to the next and readable only by this
/// user.
///
/// A file that is damaged, or that others can read, counts as empty; the next entry replaces it.
/// Outdated entries are dropped then.
actor DatedEntriesFile<Entry: Sendable> {
  /// The representation of entries in the file.
  struct Format: Sendable {
    let read: @Sendable (_ value: JSONValue, _ now: Date) -> (entry: Entry, stored: Date)?
    let write: @Sendable (_ entry: Entry, _ stored: Date) -> JSONValue
    let isCurrent: @Sendable (_ entry: Entry, _ stored: Date, _ now: Date) -> Bool
  }

  private typealias Entries = [String: (entry: Entry, stored: Date)]

  private let file: SharedFile
  private let format: Format
  private let now: @Sendable () -> Date
  private let onWriteFailure: @Sendable (any Error) -> Void
  /// The entries that were read or written last; nil before the first look.
  private var known: Entries?
  /// The entries that could not be written yet.
  private var unsaved: Entries = [:]

  init(
    path: String, format: Format, now: @escaping @Sendable () -> Date,
    onWriteFailure: @escaping @Sendable (any Error) -> Void
  ) {
    file = SharedFile(path: path, limit: 1 << 20, access: .ownerOnly, isDisposable: true)
    self.format = format
    self.now = now
    self.onWriteFailure = onWriteFailure
  }

  /// The entry for a key; nil if it is missing or outdated.
  func entry(_ key: String) -> Entry? {
    let known = known ?? decoded(try? file.read())
    self.known = known
    return (unsaved[key] ?? known[key]).flatMap {
      format.isCurrent($0.entry, $0.stored, now()) ? $0.entry : nil
    }
  }

  /// Stores an entry, replacing the one before.
  func store(_ entry: Entry, for key: String) {
    unsaved[key] = (entry, now())
    do { try change { _ in } } catch { onWriteFailure(error) }
  }

  /// Removes the entries of some keys; returns how many there were.
  func remove(where isRemoved: @Sendable (String) -> Bool) throws -> Int {
    try change { entries in
      let count = entries.count
      entries = entries.filter { !isRemoved($0.key) }
      return count - entries.count
    }
  }

  /// Changes the entries that the file has now.
  private func change<Value>(_ change: (inout Entries) -> Value) throws -> Value {
    let value = try file.change { read in
      let old = try read()
      var entries = decoded(old)
        .filter { format.isCurrent($0.value.entry, $0.value.stored, now()) }
        .merging(unsaved) { $1 }
      let value = change(&entries)
      known = entries
      let members = entries.sorted { $0.key < $1.key }.map { key, kept in
        JSONMember(key, format.write(kept.entry, kept.stored))
      }
      let new = JSONValue.object(members).bytes
      return (new == old || entries.isEmpty && old == nil ? nil : new, value)
    }
    unsaved = [:]
    return value
  }

  private func decoded(_ bytes: [UInt8]?) -> Entries {
    guard let bytes, let value = try? JSONValue(reading: bytes), case .object(let members) = value
    else { return [:] }
    var entries: Entries = [:]
    for member in members { entries[member.key] = format.read(member.value, now()) }
    return entries
  }
}

extension JSONValue {
  /// The date of a key; nil for anything else.
  func date(_ key: String) -> Date? { text(key).flatMap { RFC3339.parse($0) } }
}
