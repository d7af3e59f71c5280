internal import SafeFiles

/// Who delivers, and what was given up.
extension SQLiteHistory {
  package func deliveryLock(for receiver: String) throws(HistoryError) -> (any DeliveryLock)? {
    // FNV-1a: two receivers of one state need different names, and that is all.
    let hash = receiver.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01b3
    }
    do {
      return try FileDeliveryLock("\(path).outbox-\(String(hash, radix: 16))")
    } catch {
      throw .failed(path: error.path, reason: error.reason)
    }
  }

  package func undelivered() throws(HistoryError) -> [UndeliveredPosts] {
    try UndeliveredFolder(beside: path).all()
  }

  @discardableResult
  package func keep(_ posts: UndeliveredPosts) throws(HistoryError) -> String {
    try UndeliveredFolder(beside: path).keep(posts)
  }
}

/// The lock of whoever delivers, on a path that processes share.
private final class FileDeliveryLock: DeliveryLock {
  private let lock: FileLock

  /// Returns nil while another process, or another delivery of this one, holds it.
  init?(_ path: String) throws(FileWriteError) {
    guard let lock = try FileLock(ifFree: path) else { return nil }
    self.lock = lock
  }
}
