internal import SearchModel
internal import TextFormats

/// Messages of new posts in the form of a service. Pure.
///
/// Texts of strangers can neither mention anybody, nor format, nor link under another name:
///
/// | kind | most of a message | |
/// | --- | --- | --- |
/// | slack | 4,000 characters (docs.slack.dev, "Truncating content") | `&`, `<` and `>` escaped, no mrkdwn |
/// | discord | 2,000 characters (discord.com/developers, "Execute Webhook") | `allowed_mentions` empty, Markdown escaped |
/// | matrix | 65,536 bytes of an event (spec.matrix.org, "Size limits") | `m.mentions` empty, no `@room` |
/// | ntfy | 4,096 bytes (docs.ntfy.sh, "Limitations") | plain text |
/// | json | 100 posts | the posts as `ndjson` has them |
struct ChannelMessage: Hashable, Sendable {
  let body: [UInt8]
  let contentType: String
  /// The number of posts in it.
  let count: Int

  /// Makes as few messages as the service allows.
  ///
  /// - Parameter lines: Posts as lines of ndjson.
  static func messages(of lines: [Substring], for kind: Channel.Kind) -> [ChannelMessage] {
    if kind == .json { return json(lines) }
    let limit = limit(of: kind)
    var messages: [ChannelMessage] = []
    var texts: [String] = []
    var size = 0
    func flush() {
      guard !texts.isEmpty else { return }
      messages.append(message(texts.joined(separator: "\n\n"), texts.count, for: kind))
      (texts, size) = ([], 0)
    }
    for line in lines {
      let text = text(of: line, for: kind, within: limit)
      let added = Self.size(of: text, for: kind) + 2
      if size + added > limit { flush() }
      texts.append(text)
      size += added
    }
    flush()
    return messages
  }

  /// The most of a message, in the units of `size(of:for:)`.
  private static func limit(of kind: Channel.Kind) -> Int {
    switch kind {
    case .slack: 4000
    case .discord: 2000
    case .matrix: 30_000
    case .ntfy: 4096
    case .json: .max
    }
  }

  /// Characters are counted as UTF-16 does, which is no less than any service counts.
  private static func size(of text: String, for kind: Channel.Kind) -> Int {
    switch kind {
    case .slack, .discord: text.utf16.count
    case .matrix, .ntfy, .json: text.utf8.count
    }
  }

  private static func json(_ lines: [Substring]) -> [ChannelMessage] {
    stride(from: 0, to: lines.count, by: 100).map { first in
      let part = lines[first..<min(first + 100, lines.count)]
      return ChannelMessage(
        body: Array(#"{"posts":[\#(part.joined(separator: ","))]}"#.utf8),
        contentType: "application/json", count: part.count)
    }
  }

  private static func message(
    _ text: String, _ count: Int, for kind: Channel.Kind
  ) -> ChannelMessage {
    let value: JSONValue
    switch kind {
    case .slack:
      value = .members([
        "text": .string(text), "mrkdwn": .bool(false), "link_names": .bool(false),
        "unfurl_links": .bool(false), "unfurl_media": .bool(false),
      ])
    case .discord:
      value = .members([
        "content": .string(text), "allowed_mentions": .members(["parse": .array([])]),
        // SUPPRESS_EMBEDS
        "flags": .integer(4),
      ])
    case .matrix:
      value = .members([
        "msgtype": .string("m.text"), "body": .string(text), "m.mentions": .members([:]),
      ])
    case .ntfy, .json:
      return ChannelMessage(
        body: Array(text.utf8), contentType: "text/plain; charset=utf-8", count: count)
    }
    return ChannelMessage(body: value.bytes, contentType: "application/json", count: count)
  }

  // MARK: - Texts

  /// The text of a post, cut so that it fits a message.
  private static func text(
    of line: Substring, for kind: Channel.Kind, within limit: Int
  ) -> String {
    let post = try? JSONValue(reading: Array(line.utf8))
    var room = 600
    while true {
      let text = text(of: post ?? .null, for: kind, room)
      if size(of: text, for: kind) + 2 <= limit || room == 0 { return text }
      room /= 2
    }
  }

  private static func text(of post: JSONValue, for kind: Channel.Kind, _ room: Int) -> String {
    func part(_ text: String?, _ most: Int) -> String? {
      guard let text, case let line = ControlCodes.strippedToLine(text).trimmed, !line.isEmpty
      else { return nil }
      let cut = line.count > most ? line.prefix(most) + "…" : line
      return escaped(String(cut), for: kind)
    }
    let author = post["author"]
    let date = post.text("created_at").map { String($0.prefix(16)).replacing("T", with: " ") }
    let head = [
      part(post.text("source"), 40),
      part(author?.text("handle") ?? author?.text("name"), min(room, 80)),
      part(date, 20),
    ]
    let title = part(post.text("title"), min(room, 200))
    let text = part(post.text("text"), room)
    let body = title == text ? [title] : [title, text]
    return
      ([head.compactMap(\.self).joined(separator: " · ")] + body + [
        address(post.text("url"), for: kind, room)
      ])
      .compactMap(\.self).filter { !$0.isEmpty }.joined(separator: "\n")
  }

  /// The address of the page, if it is one that can be shown as it is.
  private static func address(_ text: String?, for kind: Channel.Kind, _ room: Int) -> String? {
    guard let text, text.hasPrefix("https://") || text.hasPrefix("http://"), text.count <= 1000,
      room > 0,
      text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && !#"<>"'`\|"#.utf8.contains($0) })
    else { return nil }
    switch kind {
    case .slack: return escaped(text, for: kind)
    case .discord: return "<\(text)>"
    case .matrix: return text.replacing("@room", with: "%40room")
    case .ntfy, .json: return text
    }
  }

  private static func escaped(_ text: String, for kind: Channel.Kind) -> String {
    switch kind {
    case .slack:
      return text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
        .replacing(">", with: "&gt;")
    case .discord:
      return String(
        text.flatMap { character -> [Character] in
          #"\*_~`|<>[]()#-:"#.contains(character) ? ["\\", character] : [character]
        })
    case .matrix:
      // U+2060 is invisible, and keeps the word from being the one that notifies everybody.
      var text = text
      while let range = text.lowercased().firstRange(of: "@room") {
        let start = text.lowercased().distance(
          from: text.lowercased().startIndex, to: range.lowerBound)
        text.insert("\u{2060}", at: text.index(text.startIndex, offsetBy: start + 1))
      }
      return text
    case .ntfy, .json: return text
    }
  }
}

extension JSONValue {
  fileprivate func text(_ key: String) -> String? {
    if case .string(let text) = self[key] { text } else { nil }
  }
}
