internal import SafeFiles
internal import TextFormats

/// The lines of a file, read block by block.
final class LineReader {
  private let file: BlockFile
  private let blockSize: Int
  /// Some of the file's bytes, followed by those that a JSON parser may read beyond a line.
  private var bytes: [UInt8] = []
  /// The number of the file's bytes among them, and of those that were read before them.
  private var count = 0
  private var offset = 0
  /// The beginning of the next line among the bytes.
  private var start = 0

  init(_ file: BlockFile, blockSize: Int) {
    self.file = file
    self.blockSize = blockSize
  }

  /// True after the last line.
  func isAtEnd() throws(FileReadError) -> Bool {
    if start == count { try readBlock() }
    return start == count
  }

  /// Calls `visit` with the next line, without its end; returns nil after the last one.
  ///
  /// `JSON.spareBytes` may be read after the line, which is valid only within `visit`.
  func next<Value>(
    _ visit: (UnsafeRawBufferPointer) throws -> Value
  ) throws -> Value? {
    var searched = start
    while true {
      let end = bytes.withUnsafeBufferPointer { bytes in
        ByteSearch.first(0x0A, in: UnsafeBufferPointer(rebasing: bytes[..<count]), from: searched)
      }
      if let end { return try take(end, skipping: 1, visit) }
      let pending = count - start
      guard try readBlock() else { break }
      searched = start + pending
    }
    return start == count ? nil : try take(count, skipping: 0, visit)
  }

  private func take<Value>(
    _ end: Int, skipping ending: Int, _ visit: (UnsafeRawBufferPointer) throws -> Value
  ) throws -> Value {
    let line = start..<end
    start = end + ending
    return try bytes.withUnsafeBytes { try visit(UnsafeRawBufferPointer(rebasing: $0[line])) }
  }

  /// Reads after what is left of the bytes, at least as much as that: a long line is not copied for each block of it.
  /// Returns false at the end of the file.
  @discardableResult
  private func readBlock() throws(FileReadError) -> Bool {
    let block = try file.bytes(at: offset + count, count: max(blockSize, count - start))
    var rest = Array(bytes[start..<count])
    offset += start
    start = 0
    count = rest.count + block.count
    rest.reserveCapacity(count + JSON.spareBytes)
    rest += block
    rest += repeatElement(0, count: JSON.spareBytes)
    bytes = rest
    return !block.isEmpty
  }
}
