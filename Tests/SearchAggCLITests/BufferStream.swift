import Application
import SearchAggCLI
import Synchronization

/// A stream in memory: what is written can be looked at, what is read is given.
final class BufferStream: OutputStreaming, InputStreaming {
  private let bytes: Mutex<[UInt8]>

  init(_ text: String = "") { bytes = Mutex(Array(text.utf8)) }

  var text: String { String(decoding: bytes.withLock { $0 }, as: UTF8.self) }

  func write(_ new: [UInt8]) throws(OutputFailure) { bytes.withLock { $0 += new } }

  func readAll(limit: Int) throws(InputFailure) -> [UInt8] {
    let all = bytes.withLock { bytes in
      defer { bytes = [] }
      return bytes
    }
    guard all.count <= limit else { throw .tooLarge(limit: limit) }
    return all
  }
}
