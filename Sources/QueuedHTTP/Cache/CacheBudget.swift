internal import FoundationEssentials
internal import SafeFiles
internal import Synchronization

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
