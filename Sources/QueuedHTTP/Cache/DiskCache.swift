internal import Digests
internal import FoundationEssentials
internal import SafeFiles
internal import Synchronization

/// A cache in a folder, which any number of clients and processes may share.
///
/// Each entry is a file that is written under another name and renamed, so a killed process leaves the
/// old entry or the new one. Only the owner can read the files (0600) and a folder that is created here
/// (0700); a folder that others can write into is not used. URLs, credentials and request fields are not
/// written: file names are digests, made with a random key in the folder. Each entry has a checksum with
/// the same key; an entry with a wrong checksum is removed and never served.
///
/// The least recently used entries are removed to limit the size. Files of other processes are counted
/// at the latest when an eighth of the size was written.
public final class DiskCache: HTTPCache {
  private struct State {
    var opened: Result<CacheFolder, FileWriteError>?
    var counts = CacheCounts()
    var problem: String?
  }

  /// The path of the folder.
  public let folder: String
  /// The maximum size of all files, each counted in blocks of 4 KiB.
  public let bytes: Int
  /// The maximum size of one file.
  public let entryBytes: Int
  private let state = Mutex(State())
  private let budget: CacheBudget

  /// Creates a cache; the folder is neither read nor created before it is used.
  ///
  /// - Parameters:
  ///   - folder: The path of the folder, which is created when needed, with those above it.
  ///   - bytes: The maximum size of all files.
  ///   - entryBytes: The maximum size of one file; larger entries are not stored.
  public init(folder: String, bytes: Int = 256 << 20, entryBytes: Int = 16 << 20) {
    self.folder = folder
    self.bytes = max(0, bytes)
    self.entryBytes = max(0, min(entryBytes, bytes))
    budget = CacheBudget(bound: max(0, bytes))
  }

  /// The statistics since the cache was created.
  public var counts: CacheCounts { state.withLock { $0.counts } }

  /// The last error as one line; nil if there was none.
  public var problem: String? { state.withLock { $0.problem } }

  /// Returns the entry of a key; nil if there is none, or if it is damaged.
  public func entry(for key: CacheKey) -> CacheEntry? {
    guard let place = place(of: key) else { return nil }
    let folder = place.folder.files
    let contents: [UInt8]
    do throws(FileReadError) {
      contents = try BoundedRead.bytes(of: folder.file(place.name), limit: entryBytes)
    } catch {
      switch error {
      case .missing: break
      case .tooLarge, .isDirectory, .notRegular: drop(place)
      case .permissionDenied, .openToOthers, .failed: fail("\(error)")
      }
      return nil
    }
    guard
      let entry = CacheEntryCoding.decode(contents, digest: place.digest, key: place.folder.key)
    else {
      drop(place)
      return nil
    }
    folder.touch(place.name)
    return entry
  }

  /// Stores an entry and replaces the previous one.
  public func store(_ entry: CacheEntry, for key: CacheKey) {
    guard let place = place(of: key) else { return }
    let (head, body) = CacheEntryCoding.encode(
      entry, digest: place.digest, key: place.folder.key)
    let folder = place.folder.files
    guard head.count + body.count <= entryBytes else {
      folder.remove(place.name)
      return
    }
    let evicted = budget.makeRoom(for: head.count + body.count, in: folder)
    state.withLock { $0.counts.evicted += evicted }
    do throws(FileWriteError) {
      var file = try FileReplacement(of: folder.file(place.name), access: .ownerOnly)
      try file.write(head)
      try write(body, to: &file)
      // After a power failure an entry may be incomplete; its checksum reveals that.
      try file.commit(isSynced: false)
      state.withLock { $0.counts.stored += 1 }
    } catch {
      // Somebody may have removed the folder; the next use creates it again.
      if case .noDirectory = error { state.withLock { $0.opened = nil } }
      fail("\(error)")
    }
  }

  /// Removes the entry of a key.
  public func removeEntry(for key: CacheKey) {
    guard let place = place(of: key) else { return }
    place.folder.files.remove(place.name)
  }

  private struct Place {
    let folder: CacheFolder
    let digest: [UInt8]
    let name: String
  }

  /// The place of a key's entry; nil if the folder cannot be used.
  private func place(of key: CacheKey) -> Place? {
    let known = state.withLock { $0.opened }
    let opened = known ?? CacheFolder.open(folder)
    if known == nil { state.withLock { $0.opened = opened } }
    switch opened {
    case .success(let folder):
      let digest = SipHash.digest(of: key.bytes, key: folder.key)
      return Place(folder: folder, digest: digest, name: CacheFolder.name(of: digest))
    case .failure(let error):
      fail("\(error)")
      return nil
    }
  }

  private func write(
    _ body: HTTPBody, to file: inout FileReplacement
  ) throws(FileWriteError) {
    try unsafe body.withUnsafeBytes { bytes throws(FileWriteError) in
      try unsafe file.write(bytes)
    }
  }

  private func drop(_ place: Place) {
    place.folder.files.remove(place.name)
    state.withLock { $0.counts.damaged += 1 }
  }

  private func fail(_ problem: String) {
    state.withLock { state in
      state.counts.failed += 1
      state.problem = problem
    }
  }
}

/// An open cache folder, and the key for file names and checksums.
struct CacheFolder: Sendable {
  let files: PrivateFolder
  let key: SipHash.Key

  private static let suffix = ".entry"

  /// Creates the folder and its key if they are missing.
  static func open(_ path: String) -> Result<CacheFolder, FileWriteError> {
    do throws(FileWriteError) {
      let files = try PrivateFolder(at: path)
      let file = PrivateFile(path: files.file("key"))
      if let key = read(file) { return .success(CacheFolder(files: files, key: key)) }
      // If several processes find none, the first one creates it for all.
      let made = try FileLock.hold(file.path) { () throws(FileWriteError) in
        if let key = read(file) { return key }
        let key = SipHash.Key(low: .random(in: 0 ... .max), high: .random(in: 0 ... .max))
        var writer = ByteWriter()
        writer.append(key.low)
        writer.append(key.high)
        try file.write(writer.bytes)
        return key
      }
      return try .success(CacheFolder(files: files, key: made.get()))
    } catch { return .failure(error) }
  }

  /// Returns nil for a key that is missing, damaged or readable by others: a new one replaces it, and the
  /// entries of the old one are never found again.
  private static func read(_ file: PrivateFile) -> SipHash.Key? {
    guard let bytes = try? file.read(limit: 64), bytes.count == 16 else { return nil }
    var reader = ByteReader(bytes)
    guard let low = reader.number(UInt64.self), let high = reader.number(UInt64.self) else {
      return nil
    }
    return SipHash.Key(low: low, high: high)
  }

  /// The name of an entry's file.
  static func name(of digest: [UInt8]) -> String { digest.hexadecimal + suffix }

  /// True if a file is an entry.
  static func isEntry(_ name: String) -> Bool {
    name.utf8.count == 32 + suffix.utf8.count && name.hasSuffix(suffix)
      && name.utf8.prefix(32).allSatisfy {
        (0x30...0x39).contains($0) || (0x61...0x66).contains($0)
      }
  }

  /// True if a file is an entry that is being written, or that a killed process left behind.
  static func isUnfinished(_ name: String) -> Bool {
    name.hasPrefix(".") && name.hasSuffix(".new")
      && isEntry(String(name.dropFirst().prefix(32 + suffix.utf8.count)))
  }
}

/// Limits the size of a cache's files.
///
/// It remembers the last count and adds what is written. The files are counted again only if that reaches
/// the limit, or if an eighth of it was written since.
final class CacheBudget: Sendable {
  private struct State {
    /// The size at the last count plus what was written since; nil before the first count.
    var total: Int?
    var written = 0
  }

  private static let block = 4096
  /// Longer than it takes to write any entry, in seconds.
  private static let abandoned = 3600.0

  private let bound: Int
  private let state = Mutex(State())

  init(bound: Int) { self.bound = bound }

  /// Makes room for a file of `bytes` bytes, and returns the number of entries that were removed.
  func makeRoom(for bytes: Int, in folder: PrivateFolder) -> Int {
    let needed = Self.blocks(bytes)
    let isKnown = state.withLock { state in
      guard let total = state.total, total + needed <= bound,
        state.written + needed <= bound / 8
      else { return false }
      state.total = total + needed
      state.written += needed
      return true
    }
    guard !isKnown else { return 0 }
    let (total, evicted) = evict(toFit: needed, in: folder)
    state.withLock { state in
      state.total = total + needed
      state.written = needed
    }
    return evicted
  }

  /// Removes the least recently used entries, down to seven eighths of the limit.
  private func evict(toFit needed: Int, in folder: PrivateFolder) -> (total: Int, evicted: Int) {
    // A folder that cannot be read counts as empty: writing to it will show what is wrong.
    guard let members = try? folder.members() else { return (0, 0) }
    let now = WallClock.read().timeIntervalSince1970
    var total = 0
    var entries: [PrivateFolder.Member] = []
    for member in members {
      if CacheFolder.isEntry(member.name) {
        entries.append(member)
      } else if CacheFolder.isUnfinished(member.name) {
        if Double(member.touched) / 1e9 < now - Self.abandoned {
          folder.remove(member.name)
          continue
        }
      } else {
        continue
      }
      total += Self.blocks(member.size)
    }
    guard total + needed > bound else { return (total, 0) }
    var evicted = 0
    for entry in entries.sorted(by: { $0.touched < $1.touched }) {
      guard total + needed > bound - bound / 8, total > 0 else { break }
      if folder.remove(entry.name) { evicted += 1 }
      total -= Self.blocks(entry.size)
    }
    return (total, evicted)
  }

  private static func blocks(_ bytes: Int) -> Int { (bytes + block - 1) / block * block }
}
