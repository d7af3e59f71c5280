import Testing
import TextFormats

@testable import SearchSources

@Suite struct MemberKeyTests {
  private func number(of key: String) throws -> Int {
    let text = Array(#"["\#(key)"]"#.utf8)
    return try (text + Array(repeating: 0, count: JSON.spareBytes)).withUnsafeBytes { buffer in
      try JSON.read(padded: UnsafeRawBufferPointer(rebasing: buffer[..<text.count])) { root in
        guard let node = root.elements.first(where: { _ in true }) else { return -1 }
        return switch MemberKey(node) {
        case "": 0
        case "id": 1
        case "text": 2
        case "entities": 3
        case "author_id": 4
        case "created_at": 5
        case "edit_history_tweet_ids": 6
        case "edit_history_tweet_idz": 7
        default: 8
        }
      }
    }
  }

  @Test(
    arguments: [
      ("", 0), ("id", 1), ("text", 2), ("entities", 3), ("author_id", 4), ("created_at", 5),
      ("edit_history_tweet_ids", 6), ("edit_history_tweet_idz", 7), ("i", 8), ("idd", 8), ("ID", 8),
      ("entitiez", 8), ("fntities", 8), ("author_ie", 8), ("buthor_id", 8), ("created_au", 8),
      ("edit_history_tweet_idy", 8), (#"id\u0000"#, 8), (#"\u0000"#, 8), (#"\u0069d"#, 1),
    ])
  func `Only the same bytes are the same key`(key: String, number: Int) throws {
    #expect(try self.number(of: key) == number)
  }
}
