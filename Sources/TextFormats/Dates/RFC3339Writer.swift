package import FoundationEssentials

/// Writes dates in the format of RFC 3339 one after the other.
// Most have the day of the one before, whose characters are kept: to find them takes longer than all else.
package struct RFC3339Writer {
  private var day = Int.min
  /// The characters of that day, up to the `T`, and some more.
  private var characters: (UInt64, UInt64) = (0, 0)

  package init() {}

  /// Appends the date in UTC with milliseconds, `2026-11-21T09:00:00.000Z`.
  ///
  /// - Returns: Whether it can be written; if not, nothing is appended.
  package mutating func append(_ date: Date, to block: inout ByteBlock) -> Bool {
    let count = block.count
    unsafe block.append(atMost: RFC3339.length) { unsafe write(date, to: $0) }
    return block.count > count
  }

  /// Writes a date from a place on, and returns the number of its bytes: 0 if it cannot be written.
  mutating func write(_ date: Date, to place: UnsafeMutablePointer<UInt8>) -> Int {
    let milliseconds = EpochTime.milliseconds(of: date)
    guard EpochTime.writable.contains(milliseconds) else { return 0 }
    // Counted from the year 0, so that divisions need no rounding down.
    let (day, rest) = (Int(milliseconds) + 62_167_219_200_000)
      .quotientAndRemainder(dividingBy: 86_400_000)
    let memory = UnsafeMutableRawPointer(place)
    let isSameDay = day == self.day
    if isSameDay {
      unsafe memory.storeBytes(of: characters.0, as: UInt64.self)
      unsafe memory.storeBytes(of: characters.1, toByteOffset: 8, as: UInt64.self)
    } else {
      unsafe RFC3339.write(dayAfter: day, to: place)
    }
    unsafe RFC3339.write(milliseconds: UInt32(truncatingIfNeeded: rest), to: place + 11)
    if isSameDay { return RFC3339.length }
    self.day = day
    characters = unsafe (
      memory.loadUnaligned(as: UInt64.self),
      memory.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
    )
    return RFC3339.length
  }
}
