internal import TextFormats

/// The `entities` of API 1.1: what stands where in a text, by code points.
struct TwitterEntities {
  private let text: SpannedText

  init(_ text: SpannedText) { self.text = text }

  var json: JSONValue {
    .members([
      "hashtags": .array(
        text.hashtags.map { span, name in
          .members(["text": .string(name), "indices": indices(span)])
        }),
      "urls": .array(
        text.links.map { span, address in
          .members([
            "url": .string(TwitterText.shortened(address)), "expanded_url": .string(address),
            "display_url": .string(TwitterText.display(address)), "indices": indices(span),
          ])
        }),
      "user_mentions": .array(
        text.mentions.map { span, author in
          let id = TwitterText.userID(author)
          return .members([
            "screen_name": .string(author.handle), "name": .string(author.name), "id": .integer(id),
            "id_str": .string("\(id)"), "indices": indices(span),
          ])
        }),
    ])
  }

  private func indices(_ span: SpannedText.Span) -> JSONValue {
    .array([.integer(span.start), .integer(span.end)])
  }
}
