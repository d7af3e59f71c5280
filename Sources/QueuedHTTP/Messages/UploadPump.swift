internal import DequeModule
internal import Glibc
internal import Synchronization

/// The buffer between the producer of a request body and the worker, which sends it.
final class UploadPump: Sendable {
  /// The next bytes to send.
  enum Supply {
    case bytes(Int)
    /// Nothing yet; the pump calls `wake` when there is more.
    case later
    case end
    case failed(HTTPError)
  }

  /// With this many buffered bytes the producer waits.
  static let bound = 256 << 10

  typealias Producer = CheckedContinuation<Void, Never>

  private struct State {
    var pieces: Deque<[UInt8]> = []
    var taken = 0
    /// The bytes that were given to libcurl.
    var given = 0
    /// The bytes that wait for it.
    var count = 0
    var end: Supply?
    var isWaiting = false
    var isClosed = false
    var producer: Producer?
    var task: Task<Void, Never>?
  }

  private let state = Mutex(State())
  private let length: Int?
  private let wake: @Sendable () -> Void

  /// - Parameters:
  ///   - length: The number of bytes that the producer will supply, if known.
  ///   - wake: Called when there are bytes again after there were none.
  init(length: Int?, wake: @escaping @Sendable () -> Void) {
    self.length = length
    self.wake = wake
  }

  /// Starts the producer.
  func start(_ produce: @escaping @Sendable (UploadPump) async throws -> Void) {
    // Nobody awaits it: the worker, which needs the bytes, cannot.
    // `close` cancels it at the latest when the transfer ends.
    let task = Task { [self] in
      do {
        try await produce(self)
        finish(.end)
      } catch {
        var failure = error as? HTTPError ?? HTTPError(.requestBody, reason: "\(error)")
        if !(error is HTTPError) { failure.underlyingError = error }
        finish(.failed(failure))
      }
    }
    let isClosed = state.withLock { state in
      state.task = task
      return state.isClosed
    }
    if isClosed { task.cancel() }
  }

  /// Adds a piece, and returns when there is room for another; false if nobody wants more.
  func put(_ piece: [UInt8]) async -> Bool {
    guard !piece.isEmpty else { return state.withLock { !$0.isClosed } }
    let isWanted = state.withLock { state in
      if state.isClosed { return false }
      state.pieces.append(piece)
      state.count += piece.count
      return state.isWaiting.exchanged(for: false)
    }
    if isWanted { wake() }
    await withCheckedContinuation { continuation in
      let isRoom = state.withLock { state in
        if state.count < Self.bound || state.isClosed { return true }
        state.producer = continuation
        return false
      }
      if isRoom { continuation.resume() }
    }
    return state.withLock { !$0.isClosed }
  }

  /// Moves bytes into libcurl's buffer.
  ///
  /// The last byte of a stated length waits for the end, so that no server takes the beginning of a
  /// longer body for the whole.
  @unsafe
  func take(into buffer: UnsafeMutableRawBufferPointer) -> Supply {
    let (supply, producer): (Supply, Producer?) = state.withLock { state -> (Supply, Producer?) in
      let rest = length.map { $0 - state.given }
      if let rest, state.count > rest { return (.failed(tooLong), nil) }
      guard let piece = state.pieces.first else {
        state.isWaiting = state.end == nil
        return (state.end ?? .later, nil)
      }
      var count = min(buffer.count, piece.count - state.taken)
      if count == rest, state.end == nil { count -= 1 }
      guard count > 0 else {
        state.isWaiting = true
        return (.later, nil)
      }
      unsafe buffer.copyBytes(from: piece[state.taken..<(state.taken + count)])
      state.taken += count
      state.given += count
      state.count -= count
      if state.taken == piece.count {
        state.pieces.removeFirst()
        state.taken = 0
      }
      return (.bytes(count), state.count < Self.bound / 2 ? state.producer.take() : nil)
    }
    producer?.resume()
    return supply
  }

  /// Throws if there is more than was stated.
  func checkEnd() throws(HTTPError) {
    guard let length, state.withLock({ $0.given + $0.count > length }) else { return }
    throw tooLong
  }

  private var tooLong: HTTPError {
    HTTPError(.requestBody, reason: "the body is longer than \(length ?? 0) bytes")
  }

  /// Stops the producer: nobody takes bytes any more.
  func close() {
    let (task, producer) = state.withLock { state in
      state.isClosed = true
      state.pieces = []
      return (state.task.take(), state.producer.take())
    }
    task?.cancel()
    producer?.resume()
  }

  private func finish(_ end: Supply) {
    let isWanted = state.withLock { state in
      state.end = end
      return state.isWaiting.exchanged(for: false)
    }
    if isWanted { wake() }
  }
}

extension Bool {
  /// Sets a value and returns the previous one.
  fileprivate mutating func exchanged(for value: Bool) -> Bool {
    defer { self = value }
    return self
  }
}

/// The source of a transfer's body, for one hop; used only on the worker thread.
struct UploadSource: ~Copyable {
  /// The number of bytes, if known.
  let length: Int?
  private let descriptor: Int32
  private let pump: UploadPump?
  private var sent = 0

  /// Opens a file, or starts a producer.
  init(_ body: UploadBody, wake: @escaping @Sendable () -> Void) throws(HTTPError) {
    switch body.origin {
    case .file(let path):
      let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
      var status = stat()
      guard descriptor >= 0, unsafe fstat(descriptor, &status) == 0 else {
        throw HTTPError(unreadable: path)
      }
      guard status.st_mode & S_IFMT == S_IFREG else {
        close(descriptor)
        throw HTTPError(.file, reason: "\(path): is not a regular file")
      }
      self.descriptor = descriptor
      length = Int(status.st_size)
      pump = nil
    case .stream(let length, let make):
      descriptor = -1
      self.length = length
      let pump = UploadPump(length: length, wake: wake)
      self.pump = pump
      pump.start(make)
    }
  }

  deinit {
    pump?.close()
    if descriptor >= 0 { close(descriptor) }
  }

  /// Moves the next bytes into libcurl's buffer, at most up to the announced length.
  @unsafe
  mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> UploadPump.Supply {
    let room = min(buffer.count, length.map { $0 - sent } ?? .max)
    guard room > 0 else { return .end }
    let part = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[..<room])
    let supply = unsafe pump?.take(into: part) ?? readFile(into: part)
    switch supply {
    case .bytes(let count): sent += count
    case .end where sent < length ?? 0:
      let reason = "the body ended after \(sent) of \(length ?? 0) bytes"
      return .failed(HTTPError(.requestBody, reason: reason))
    case .later, .end, .failed: break
    }
    return supply
  }

  /// Throws if a stream has produced more than was stated: with a length of 0, libcurl never reads it.
  func checkEnd() throws(HTTPError) { try pump?.checkEnd() }

  /// Goes back to the start; false if the bytes are gone.
  mutating func rewind() -> Bool {
    guard sent > 0 else { return true }
    guard descriptor >= 0, lseek(descriptor, 0, SEEK_SET) == 0 else { return false }
    sent = 0
    return true
  }

  @unsafe
  private func readFile(into buffer: UnsafeMutableRawBufferPointer) -> UploadPump.Supply {
    let count = unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
    if count < 0 {
      let reason = unsafe String(cString: strerror(errno))
      return .failed(HTTPError(.requestBody, reason: reason))
    }
    return count == 0 ? .end : .bytes(count)
  }
}
