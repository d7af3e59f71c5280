internal import Glibc

/// An immutable body in memory.
///
/// Its bytes are followed by `spareBytes` zeros, so that a parser that reads ahead needs no copy.
public final class HTTPBody: Sendable {
  /// The number of bytes that can be read after the last one.
  public static let spareBytes = 64

  /// The number of bytes.
  public let count: Int
  private let storage: UInt

  /// Creates an empty body.
  public convenience init() { unsafe self.init(adopting: nil, count: 0) }

  /// Creates a body from a copy of the bytes.
  public convenience init(_ bytes: some Collection<UInt8>) {
    var buffer = BodyBuffer()
    let isCopied = bytes.withContiguousStorageIfAvailable { bytes in
      unsafe buffer.append(UnsafeRawBufferPointer(bytes))
    }
    if isCopied == nil { buffer.append(Array(bytes)) }
    let (storage, count) = unsafe buffer.giveUp()
    unsafe self.init(adopting: storage, count: count)
  }

  /// Takes ownership of `count` bytes from `malloc` that are followed by `spareBytes` zeros.
  @unsafe
  init(adopting storage: UnsafeMutableRawPointer?, count: Int) {
    self.storage = UInt(bitPattern: storage)
    self.count = count
  }

  deinit { unsafe free(UnsafeMutableRawPointer(bitPattern: storage)) }

  /// Calls `read` with the bytes; `spareBytes` more can be read after them. The pointer is valid only
  /// during the call.
  public func withUnsafeBytes<Result, Failure: Error>(
    _ read: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard let storage = unsafe UnsafeRawPointer(bitPattern: storage) else {
      // An empty body has spare bytes, too.
      let spare = InlineArray<64, UInt8>(repeating: 0)
      do {
        return try unsafe Swift.withUnsafeBytes(of: spare) { bytes in
          try unsafe read(UnsafeRawBufferPointer(start: bytes.baseAddress, count: 0))
        }
      } catch let failure as Failure {
        throw failure
      } catch {
        preconditionFailure("only `read` throws")
      }
    }
    return try unsafe read(UnsafeRawBufferPointer(start: storage, count: count))
  }

  /// The body as text; invalid UTF-8 becomes U+FFFD.
  public var text: String {
    unsafe withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
  }
}
