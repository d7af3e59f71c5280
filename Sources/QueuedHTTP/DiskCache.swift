internal import FoundationEssentials
internal import SafeFiles
internal import Synchronization

/// A cache in a folder, which any number of clients and processes may share.
///
/// Each entry is a file that is written beside and renamed, so a process that is killed at any moment
/// leaves the old entry or the new one. Files are for their owner alone (0600), as is a folder that
/// is made here (0700); one that others may write into is not used. No address, no credential and no
/// value of a request's field is written: files are named by digests, made with a random key that
/// lies in the folder. A checksum with the same key stands over each entry, and one that does not
/// hold is removed and never served.
///
/// The folder keeps its size by removing those entries that were not used for the longest time. What
/// other processes write is seen when an eighth of the size was written, at the latest.
public final class DiskCache: HTTPCache {
  private struct State {
    var opened: Result<CacheFolder, FileWriteError>?
    var counts = CacheCounts()
    var problem: String?
  }

  /// The folder that it was made for.
  public let folder: String
  /// The most that its files take, each counted in whole blocks of 4 KiB.
  public let bytes: Int
  /// The most that one file may have.
  public let entryBytes: Int
  private let state = Mutex(State())
  private let budget: CacheBudget

  /// Describes a cache; nothing is read or made before it is used.
  ///
  /// - Parameters:
  ///   - folder: Made when it is needed, with those above it.
  ///   - bytes: The most that its files take.
  ///   - entryBytes: The most that one may have; larger ones are not kept.
  public init(folder: String, bytes: Int = 256 << 20, entryBytes: Int = 16 << 20) {
    self.folder = folder
    self.bytes = max(0, bytes)
    self.entryBytes = max(0, min(entryBytes, bytes))
    budget = CacheBudget(bound: max(0, bytes))
  }

  /// What the cache has done since it was created.
  public var counts: CacheCounts { state.withLock { $0.counts } }

  /// What went wrong last, in one line; nil when nothing has.
  public var problem: String? { state.withLock { $0.problem } }

  /// Reads the entry of a key; nil when there is none, or none that is whole.
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

  /// Writes an entry in place of the one before.
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
      // After a power cut an entry may be torn, which its checksum tells.
      try file.commit(isSynced: false)
      state.withLock { $0.counts.stored += 1 }
    } catch {
      // Somebody may have removed the folder; the next use makes it again.
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

  /// Where the entry of a key lies; nil when the folder cannot be used.
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

/// An opened folder of a cache: its files, and the key that their names and checksums are made with.
struct CacheFolder: Sendable {
  let files: PrivateFolder
  let key: SipHash.Key

  private static let suffix = ".entry"

  /// Makes the folder and its key where there are none.
  static func open(_ path: String) -> Result<CacheFolder, FileWriteError> {
    do throws(FileWriteError) {
      let files = try PrivateFolder(at: path)
      let file = PrivateFile(path: files.file("key"))
      if let key = read(file) { return .success(CacheFolder(files: files, key: key)) }
      // Of several that find none, the first makes one for all.
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

  /// A key that is missing, damaged or open to others is none: a new one takes its place, and nothing
  /// that was written with it is found any more.
  private static func read(_ file: PrivateFile) -> SipHash.Key? {
    guard let bytes = try? file.read(limit: 64), bytes.count == 16 else { return nil }
    var reader = ByteReader(bytes)
    guard let low = reader.number(UInt64.self), let high = reader.number(UInt64.self) else {
      return nil
    }
    return SipHash.Key(low: low, high: high)
  }

  /// The name of an entry's file.
  static func name(of digest: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    let name = digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    return String(decoding: name, as: UTF8.self) + suffix
  }

  /// Whether a file is an entry.
  static func isEntry(_ name: String) -> Bool {
    name.utf8.count == 32 + suffix.utf8.count && name.hasSuffix(suffix)
      && name.utf8.prefix(32).allSatisfy {
        (0x30...0x39).contains($0) || (0x61...0x66).contains($0)
      }
  }

  /// Whether a file is an entry that is being written, or that a killed process left.
  static func isUnfinished(_ name: String) -> Bool {
    name.hasPrefix(".") && name.hasSuffix(".new")
      && isEntry(String(name.dropFirst().prefix(32 + suffix.utf8.count)))
  }
}

/// Keeps the files of a cache within a size.
///
/// It remembers what it counted and adds what is written; only when that reaches the bound, or an
/// eighth of it was written since, are the files counted again.
final class CacheBudget: Sendable {
  private struct State {
    /// What the files took when they were last counted, with what was written since; nil before.
    var total: Int?
    var written = 0
  }

  private static let block = 4096
  /// Longer than the writing of any entry takes.
  private static let abandoned = 3600.0

  private let bound: Int
  private let state = Mutex(State())

  init(bound: Int) { self.bound = bound }

  /// Makes room for a file of so many bytes, and returns how many entries went for it.
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

  /// Removes what was not used for the longest time, down to seven eighths of the bound.
  private func evict(toFit needed: Int, in folder: PrivateFolder) -> (total: Int, evicted: Int) {
    // A folder that cannot be read is counted as empty: writing to it will tell what is wrong.
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
