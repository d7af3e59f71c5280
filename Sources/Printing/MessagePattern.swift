/// What messages of one kind have in common: the text without what differs from answer to answer, such as
/// a request's identifier, a moment, a number of bytes or a path.
enum MessagePattern {
  /// Stands for what differs.
  private static let gap: UInt8 = 0x23
  /// A longer run without a blank is no word of any language that is written with blanks.
  private static let longestWord = 30

  /// Returns a text with a mark in the place of each word that names one answer or one query: all with a
  /// digit or a sign of an address, all that are longer than words are, and what stands in quotation
  /// marks.
  static func of(_ text: String) -> String {
    var pattern: [UInt8] = []
    for word in unquoted(Array(text.utf8)).split(separator: 0x20) {
      if !pattern.isEmpty { pattern.append(0x20) }
      let isName = word.count > longestWord || word.contains(where: isSign)
      // Words that differ in number only have the same mark.
      if isName { pattern.append(gap) } else { pattern.append(contentsOf: word) }
    }
    return String(decoding: pattern, as: UTF8.self)
  }

  private static func isSign(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || "/%=&_".utf8.contains(byte)
  }

  /// A text without what stands between two quotation marks of the same kind.
  private static func unquoted(_ text: [UInt8]) -> [UInt8] {
    var rest: [UInt8] = []
    var index = text.startIndex
    while index < text.endIndex {
      let byte = text[index]
      let isQuote = byte == 0x22 || byte == 0x27
      // An apostrophe stands within a word.
      let begins = index == 0 || text[index - 1] == 0x20 || text[index - 1] == 0x28
      if isQuote, begins, let end = text[(index + 1)...].firstIndex(of: byte) {
        rest.append(gap)
        index = end + 1
      } else {
        rest.append(byte)
        index += 1
      }
    }
    return rest
  }
}
