internal import SafeFiles

/// The right to deliver, and the posts that were given up.
extension SQLiteHistory {
  package func deliveryLock(for receiver: String) throws(HistoryError) -> (any DeliveryLock)? {
    try lock("\(path).outbox-\(receiver.nameHash)")
  }

  package func printingLock() throws(HistoryError) -> (any DeliveryLock)? {
    try lock("\(path).printing")
  }

  private func lock(_ path: String) throws(HistoryError) -> (any DeliveryLock)? {
    do { return try FileDeliveryLock(path) } catch {
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
