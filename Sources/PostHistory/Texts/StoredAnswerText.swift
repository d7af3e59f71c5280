internal import TextFormats

/// An answer as a column holds it: JSON without what is empty.
enum StoredAnswerText {
  static func text(of answer: StoredAnswer) -> String {
    let value = JSONValue.members([
      "notes": answer.notes.isEmpty ? nil : .array(answer.notes.map(JSONValue.string)),
      "posts": answer.posts.map { .integer($0) }, "pages": answer.pages.map { .integer($0) },
      "excluded": answer.excluded.isEmpty
        ? nil
        : .object(
          answer.excluded.sorted { $0.key < $1.key }.map { JSONMember($0.key, .integer($0.value)) }
        ),
    ])
    return String(decoding: value.bytes, as: UTF8.self)
  }

  static func answer(_ text: String) -> StoredAnswer? {
    guard let value = try? JSONValue(reading: Array(text.utf8)) else { return nil }
    var answer = StoredAnswer()
    if case .array(let notes)? = value["notes"] {
      answer.notes = notes.compactMap { if case .string(let note) = $0 { note } else { nil } }
    }
    answer.posts = integer(value["posts"])
    answer.pages = integer(value["pages"])
    if case .object(let members)? = value["excluded"] {
      for member in members { answer.excluded[member.key] = integer(member.value) }
    }
    return answer
  }

  private static func integer(_ value: JSONValue?) -> Int? {
    if case .number(let spelling)? = value { Int(spelling) } else { nil }
  }
}
