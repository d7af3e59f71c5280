import Glibc

/// How much the client of a connection lets each stream send; threads wait here for more.
final class HTTP2Windows: @unchecked Sendable {
  // Unchecked: everything is used under the lock alone, and freed when nobody holds this.
  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let change = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var initial = 65_535
  private var connection = 65_535
  private var streams: [UInt32: Int] = [:]
  private var isOver = false

  init() {
    pthread_mutex_init(lock, nil)
    pthread_cond_init(change, nil)
  }

  deinit {
    pthread_cond_destroy(change)
    pthread_mutex_destroy(lock)
    lock.deallocate()
    change.deallocate()
  }

  func open(_ stream: UInt32) { update { streams[stream] = initial } }

  /// Says whether it had been open.
  func close(_ stream: UInt32) -> Bool { update { streams.removeValue(forKey: stream) != nil } }

  /// Whether the stream is still wanted.
  func isOpen(_ stream: UInt32) -> Bool { update { streams[stream] != nil && !isOver } }

  func setInitial(_ size: Int) {
    update {
      for stream in streams.keys { streams[stream]? += size - initial }
      initial = size
    }
  }

  func widen(_ stream: UInt32, by count: Int) {
    update {
      if stream == 0 { connection += count } else { streams[stream]? += count }
    }
  }

  func end() { update { isOver = true } }

  /// Waits until some bytes of a stream may be sent, and takes no more than `count` of them; nil when
  /// the stream is not wanted any more.
  func take(_ stream: UInt32, upTo count: Int) -> Int? {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    while !isOver, let window = streams[stream] {
      let room = min(window, connection, count)
      if room > 0 {
        streams[stream] = window - room
        connection -= room
        return room
      }
      pthread_cond_wait(change, lock)
    }
    return nil
  }

  @discardableResult
  private func update<Result>(_ make: () -> Result) -> Result {
    pthread_mutex_lock(lock)
    defer {
      pthread_cond_broadcast(change)
      pthread_mutex_unlock(lock)
    }
    return make()
  }
}
