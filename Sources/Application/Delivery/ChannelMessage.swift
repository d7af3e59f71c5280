internal import QueuedHTTP
internal import SearchModel
internal import TextFormats

/// A message of new posts, as a service wants it. Pure.
struct ChannelMessage: Hashable, Sendable {
  let body: [UInt8]
  /// The number of posts in it.
  let count: Int

  /// Makes as few messages as the service allows.
  ///
  /// - Parameter lines: Posts as lines of ndjson.
  static func messages(of lines: [Substring], for service: ChannelService) -> [ChannelMessage] {
    switch service.form {
    case .posts(let most): posts(lines, most)
    case .text(let body): texts(of: lines, for: service, body)
    }
  }

  private static func posts(_ lines: [Substring], _ most: Int) -> [ChannelMessage] {
    stride(from: 0, to: lines.count, by: most).map { first in
      let part = lines[first..<min(first + most, lines.count)]
      return ChannelMessage(
        body: Array(#"{"posts":[\#(part.joined(separator: ","))]}"#.utf8), count: part.count)
    }
  }

  private static func texts(
    of lines: [Substring], for service: ChannelService, _ body: (String) -> [UInt8]
  ) -> [ChannelMessage] {
    var messages: [ChannelMessage] = []
    var texts: [String] = []
    var size = 0
    func flush() {
      guard !texts.isEmpty else { return }
      messages.append(
        ChannelMessage(body: body(texts.joined(separator: "\n\n")), count: texts.count))
      (texts, size) = ([], 0)
    }
    for line in lines {
      let text = text(of: line, for: service)
      let added = service.size(text) + 2
      if size + added > service.limit { flush() }
      texts.append(text)
      size += added
    }
    flush()
    return messages
  }

  // MARK: - Texts

  /// The text of a post, cut so that it fits a message.
  private static func text(of line: Substring, for service: ChannelService) -> String {
    let post = try? JSONValue(reading: Array(line.utf8))
    var room = 600
    while true {
      let text = text(of: post ?? .null, for: service, room)
      if service.size(text) + 2 <= service.limit || room == 0 { return text }
      room /= 2
    }
  }

  private static func text(
    of post: JSONValue, for service: ChannelService, _ room: Int
  ) -> String {
    func part(_ text: String?, _ most: Int) -> String? {
      guard let text, case let line = ControlCodes.strippedToLine(text).trimmed, !line.isEmpty
      else { return nil }
      let cut = line.count > most ? line.prefix(most) + "…" : line
      return service.escaped(String(cut))
    }
    let author = Author(
      handle: post["author"]?.text("handle") ?? "", name: post["author"]?.text("name"))
    let date = post.text("created_at").map { String($0.prefix(16)).replacing("T", with: " ") }
    let head = [
      part(post.text("source"), 40),
      part(author.shownHandle ?? author.name, min(room, 80)),
      part(date, 20),
    ]
    let title = part(post.text("title"), min(room, 200))
    let text = part(post.text("text"), room)
    let body = title == text ? [title] : [title, text]
    return
      ([head.compactMap(\.self).joined(separator: " · ")] + body + [
        address(post.text("url"), room).map(service.address)
      ])
      .compactMap(\.self).filter { !$0.isEmpty }.joined(separator: "\n")
  }

  /// The address of the page, if it is one that can be shown; signs of markup and other letters than those of ASCII
  /// are percent-encoded.
  private static func address(_ text: String?, _ room: Int) -> String? {
    guard let text, text.hasPrefix("https://") || text.hasPrefix("http://"), text.count <= 1000,
      room > 0,
      text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F })
    else { return nil }
    let address = text.unicodeScalars.map { scalar in
      !scalar.isASCII || #"'<>"`\|"#.unicodeScalars.contains(scalar)
        ? PercentEncoding.encode(String(scalar)) : String(scalar)
    }.joined()
    return address.utf8.count <= 1000 ? address : nil
  }
}
