internal import CSQLite

/// Texts that are split into words, as the tokenizer of every connection takes them.
enum SplitWords {
  /// Splits a text into words, or copies it where they are not plain ones; returns the number of bytes.
  ///
  /// - Parameter room: Room for two bytes more than the text has.
  static func write(
    _ text: UnsafeBufferPointer<UInt8>, into room: Slice<UnsafeMutableBufferPointer<UInt8>>
  ) -> Int {
    let room = UnsafeMutableBufferPointer(rebasing: room)
    guard let start = text.baseAddress, let place = room.baseAddress else { return 0 }
    let count = csqlite_split_words(start, Int32(clamping: text.count), place)
    if count >= 0 { return Int(count) }
    place.update(from: start, count: text.count)
    // It would be taken as a mark.
    if place.pointee == UInt8(csqlite_split_mark) { place.pointee = UInt8(ascii: " ") }
    return text.count
  }
}
