internal import Synchronization

/// The corpora made so far, up to a bound: making one costs more than answering from it.
final class CorpusCache: Sendable {
  private struct Contents {
    var corpora: [String: Corpus] = [:]
    var order: [String] = []
    var authors: [String: [CorpusAuthor]] = [:]
  }

  private let contents = Mutex(Contents())
  private let bound: Int

  init(bound: Int = 256) { self.bound = bound }

  /// Returns the corpus kept under `key`, or makes and keeps it.
  func corpus(_ key: String, make: () -> Corpus) -> Corpus {
    if let kept = contents.withLock({ $0.corpora[key] }) { return kept }
    let made = make()
    return contents.withLock {
      if let kept = $0.corpora[key] { return kept }
      if $0.order.count == bound { $0.corpora[$0.order.removeFirst()] = nil }
      $0.order.append(key)
      $0.corpora[key] = made
      return made
    }
  }

  /// Returns the authors of a network, or makes and keeps them.
  func authors(of network: String, make: () -> [CorpusAuthor]) -> [CorpusAuthor] {
    if let kept = contents.withLock({ $0.authors[network] }) { return kept }
    let made = make()
    contents.withLock { $0.authors[network] = made }
    return made
  }
}
