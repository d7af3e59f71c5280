/// Bytes that are being written, without the checks that an array makes at each of them.
// Sendable: it cannot be copied, so that nobody but its one owner can write to its memory.
@safe
@usableFromInline
package struct ByteBlock: ~Copyable, @unchecked Sendable {
  @usableFromInline package internal(set) var count = 0
  @usableFromInline var capacity: Int
  @usableFromInline var base: UnsafeMutablePointer<UInt8>
  /// Owns the memory, which stays where it is as long as nobody else has the array.
  private var memory: [UInt8]

  /// - Parameter capacity: The expected number of bytes.
  package init(capacity: Int) {
    self.capacity = max(capacity, 64)
    unsafe (memory, base) = Self.allocate(self.capacity)
  }

  @unsafe
  private static func allocate(_ capacity: Int) -> ([UInt8], UnsafeMutablePointer<UInt8>) {
    var start: UnsafeMutablePointer<UInt8>?
    let memory = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
      unsafe start = buffer.baseAddress
      // Any byte is a value, even one that nobody has written.
      count = capacity
    }
    guard let start = unsafe start else { preconditionFailure("an array without memory") }
    return unsafe (memory, start)
  }

  /// The bytes, which are not copied.
  package var bytes: [UInt8] {
    consuming get {
      var bytes: [UInt8] = []
      swap(&bytes, &memory)
      bytes.removeLast(bytes.count - count)
      return bytes
    }
  }

  /// Returns a block of the same bytes that wastes at most a sixteenth of its memory.
  package consuming func trimmed() -> ByteBlock {
    if capacity - count <= capacity / 16 { return self }
    var copy = ByteBlock(capacity: count)
    copy.append(self)
    return copy
  }

  /// Calls `body` with the bytes.
  @inlinable
  package func read<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    unsafe body(UnsafeBufferPointer(start: base, count: count))
  }

  /// Appends at most `size` bytes.
  ///
  /// - Parameter write: Writes the bytes from a place on, and returns their number.
  @unsafe
  @inlinable
  @inline(__always)
  package mutating func append(
    atMost size: Int, _ write: (UnsafeMutablePointer<UInt8>) -> Int
  ) {
    if count + size > capacity { grow(by: size) }
    unsafe count += write(base + count)
  }

  @inlinable
  @inline(__always)
  package mutating func append(_ byte: UInt8) {
    unsafe append(atMost: 1) { place in
      unsafe place.pointee = byte
      return 1
    }
  }

  @inlinable
  package mutating func append(_ byte: UInt8, times count: Int) {
    unsafe append(atMost: count) { place in
      unsafe place.update(repeating: byte, count: count)
      return count
    }
  }

  @unsafe
  @inlinable
  package mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    unsafe append(atMost: bytes.count) { place in
      if let start = bytes.baseAddress { unsafe Self.copy(bytes.count, from: start, to: place) }
      return bytes.count
    }
  }

  /// Appends bytes that were written before.
  package mutating func append(copyOf range: Range<Int>) {
    precondition(range.lowerBound >= 0 && range.upperBound <= count)
    if count + range.count > capacity { grow(by: range.count) }
    unsafe Self.copy(range.count, from: base + range.lowerBound, to: base + count)
    count += range.count
  }

  /// Copies bytes: up to sixteen, as most texts are short, without the call that takes longer than the copy.
  @unsafe
  @inlinable
  @inline(__always)
  static func copy(
    _ count: Int, from source: UnsafePointer<UInt8>, to target: UnsafeMutablePointer<UInt8>
  ) {
    // Two pieces, which overlap where their sizes do not add up to the number of bytes.
    func copyEnds<Piece: BitwiseCopyable>(_ type: Piece.Type) {
      let last = count - MemoryLayout<Piece>.size
      let (from, to) = unsafe (UnsafeRawPointer(source), UnsafeMutableRawPointer(target))
      let ends = unsafe (
        from.loadUnaligned(as: type), from.loadUnaligned(fromByteOffset: last, as: type)
      )
      unsafe to.storeBytes(of: ends.0, as: type)
      unsafe to.storeBytes(of: ends.1, toByteOffset: last, as: type)
    }
    switch count {
    case 8...16: copyEnds(UInt64.self)
    case 4..<8: copyEnds(UInt32.self)
    case 2..<4: copyEnds(UInt16.self)
    case 1: unsafe target.pointee = source.pointee
    default: unsafe target.update(from: source, count: count)
    }
  }

  // Compiled into its callers, where the length is known and the copy takes a few moves.
  @inlinable
  @inline(__always)
  package mutating func append(_ text: StaticString) {
    unsafe append(atMost: text.utf8CodeUnitCount) { place in
      unsafe Self.copy(text.utf8CodeUnitCount, from: text.utf8Start, to: place)
      return text.utf8CodeUnitCount
    }
  }

  package mutating func append(_ text: String) {
    let isDone: Void? = unsafe text.utf8.withContiguousStorageIfAvailable { unsafe append($0) }
    if isDone == nil { for byte in text.utf8 { append(byte) } }
  }

  /// Appends the bytes of another block.
  package mutating func append(_ other: borrowing ByteBlock) {
    unsafe append(UnsafeBufferPointer(start: other.base, count: other.count))
  }

  /// A byte that is written.
  package subscript(place: Int) -> UInt8 {
    get {
      precondition((0..<count).contains(place))
      return unsafe base[place]
    }
    set {
      precondition((0..<count).contains(place))
      unsafe base[place] = newValue
    }
  }

  /// Removes the bytes after a number of them.
  @inlinable
  package mutating func removeAll(after count: Int) { self.count = min(self.count, count) }

  /// Appends a number in decimal.
  package mutating func append(decimal number: Int) {
    unsafe append(atMost: Decimal.most) { unsafe Decimal.write(number, to: $0) }
  }

  @usableFromInline
  @inline(never)
  mutating func grow(by size: Int) {
    capacity = max(capacity * 2, count + size)
    let (larger, start) = unsafe Self.allocate(capacity)
    unsafe start.update(from: base, count: count)
    unsafe (memory, base) = (larger, start)
  }
}

/// Numbers as digits.
enum Decimal {
  /// The most digits and signs of a number.
  static let most = 20

  /// Writes a number from a place on, and returns the number of its characters, at most `most`.
  static func write(_ number: Int, to place: UnsafeMutablePointer<UInt8>) -> Int {
    var rest = number.magnitude
    var count = number < 0 ? 2 : 1
    var bound: UInt = 10
    while rest >= bound {
      count += 1
      let next = bound.multipliedReportingOverflow(by: 10)
      if next.overflow { break }
      bound = next.partialValue
    }
    var position = count
    repeat {
      position -= 1
      let tenth = rest / 10
      unsafe place[position] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest - tenth * 10)
      rest = tenth
    } while rest > 0
    if number < 0 { unsafe place.pointee = UInt8(ascii: "-") }
    return count
  }
}

extension [UInt8] {
  /// Appends a text of our own as UTF-8.
  package mutating func append(_ text: StaticString) {
    unsafe append(
      contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }
}
