internal import Glibc

/// Where a transfer's body comes from, hop by hop; used on the worker thread alone.
struct UploadSource: ~Copyable {
  /// How many bytes there are, where that is known.
  let length: Int?
  private let descriptor: Int32
  private let pump: UploadPump?
  private var sent = 0

  /// Opens a file, or lets a producer begin.
  init(_ body: UploadBody, wake: @escaping @Sendable () -> Void) throws(HTTPError) {
    switch body.origin {
    case .file(let path):
      let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
      var status = stat()
      guard descriptor >= 0, unsafe fstat(descriptor, &status) == 0 else {
        throw Self.failure(path)
      }
      guard status.st_mode & S_IFMT == S_IFREG else {
        close(descriptor)
        throw HTTPError(.file, reason: "\(path): is no regular file")
      }
      self.descriptor = descriptor
      length = Int(status.st_size)
      pump = nil
    case .stream(let length, let make):
      descriptor = -1
      self.length = length
      let pump = UploadPump(wake: wake)
      self.pump = pump
      pump.start(make)
    }
  }

  deinit {
    pump?.close()
    if descriptor >= 0 { close(descriptor) }
  }

  /// Moves the next bytes into libcurl's buffer, no more than was said in all.
  @unsafe
  mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> UploadPump.Supply {
    let room = min(buffer.count, length.map { $0 - sent } ?? .max)
    guard room > 0 else { return .end }
    let part = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[..<room])
    let supply = unsafe pump?.take(into: part) ?? readFile(into: part)
    switch supply {
    case .bytes(let count): sent += count
    case .end where sent < length ?? 0:
      let reason = "the body has \(sent) bytes where \(length ?? 0) were announced"
      return .failed(HTTPError(.requestBody, reason: reason))
    case .later, .end, .failed: break
    }
    return supply
  }

  /// Goes back to the start; false where the bytes are gone.
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

  private static func failure(_ path: String) -> HTTPError {
    let reason = unsafe String(cString: strerror(errno))
    return HTTPError(.file, reason: "\(path): cannot be read: \(reason)")
  }
}
