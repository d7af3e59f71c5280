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
