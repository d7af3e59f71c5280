internal import Glibc

/// A body in memory, filled once and then never changed.
///
/// Behind its bytes stand `spareBytes` more that are zero, so that a parser which reads ahead needs
/// no copy.
public final class HTTPBody: Sendable {
  /// How many bytes may be read behind the last one.
  public static let spareBytes = 64

  /// How many bytes the body has.
  public let count: Int
  private let storage: UInt

  /// Makes an empty body.
  public convenience init() { unsafe self.init(adopting: nil, count: 0) }

  /// Copies the bytes given.
  public convenience init(_ bytes: some Collection<UInt8>) {
    var buffer = BodyBuffer()
    let isCopied = bytes.withContiguousStorageIfAvailable { bytes in
      unsafe buffer.append(UnsafeRawBufferPointer(bytes))
    }
    if isCopied == nil { buffer.append(Array(bytes)) }
    let (storage, count) = unsafe buffer.giveUp()
    unsafe self.init(adopting: storage, count: count)
  }

  /// Takes over `count` bytes with `spareBytes` zeros behind them, which `malloc` gave.
  @unsafe
  init(adopting storage: UnsafeMutableRawPointer?, count: Int) {
    self.storage = UInt(bitPattern: storage)
    self.count = count
  }

  deinit { unsafe free(UnsafeMutableRawPointer(bitPattern: storage)) }

  /// Calls `read` with the bytes; `spareBytes` more may be read behind them. Not valid after it.
  public func withUnsafeBytes<Result, Failure: Error>(
    _ read: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard let storage = unsafe UnsafeRawPointer(bitPattern: storage) else {
      // An empty body keeps its promise too: spare bytes to read, none of its own.
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

  /// The body as text; bytes that are not UTF-8 become U+FFFD.
  public var text: String {
    unsafe withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
  }
}
