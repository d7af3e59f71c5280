internal import QueuedHTTP
internal import TextFormats

/// A service that takes messages of new posts: its limits, and how it wants a text written.
///
/// Texts of posts can neither mention anybody, nor use formatting, nor disguise a link.
package struct ChannelService: Sendable {
  /// The body of a message.
  enum Form: Sendable {
    /// A text, wrapped as the service wants it.
    case text(@Sendable (_ text: String) -> [UInt8])
    /// The posts themselves as JSON objects, at most this many.
    case posts(Int)
  }

  /// The name in the configuration.
  let name: String
  /// The largest message, in the units of `size`.
  let limit: Int
  /// The time between two messages that the service asks for.
  let pause: Duration
  let form: Form
  var contentType = "application/json"
  var method = HTTPMethod(rawValue: "POST")
  /// True if each message is sent to an address of its own, which ends in its number.
  var numbersAddresses = false
  /// The title of a message; nil where the service has none.
  var title: (@Sendable (_ posts: Int) -> String)?
  var size: @Sendable (String) -> Int = { $0.utf8.count }
  /// Escapes what the service would format or treat as a mention.
  var escaped: @Sendable (String) -> String = { $0 }
  /// Writes an address of printable ASCII without quotes, angle brackets and backslashes.
  var address: @Sendable (String) -> String = { $0 }

  static let all = [slack, discord, matrix, ntfy, json]

  static func named(_ name: String) -> ChannelService? { all.first { $0.name == name } }
}

extension ChannelService: Hashable {
  package static func == (one: ChannelService, other: ChannelService) -> Bool {
    one.name == other.name
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension ChannelService {
  /// 4,000 characters (docs.slack.dev, "Truncating content"), one message a second.
  static let slack = ChannelService(
    name: "slack", limit: 4000, pause: .seconds(1),
    form: .text { text in
      JSONValue.members([
        "text": .string(text), "mrkdwn": .bool(false), "link_names": .bool(false),
        "unfurl_links": .bool(false), "unfurl_media": .bool(false),
      ]).bytes
    }, size: { $0.utf16.count }, escaped: escapedForSlack, address: escapedForSlack)

  /// 2,000 characters, 30 messages a minute (discord.com/developers, "Execute Webhook").
  static let discord = ChannelService(
    name: "discord", limit: 2000, pause: .seconds(2),
    form: .text { text in
      JSONValue.members([
        "content": .string(text), "allowed_mentions": .members(["parse": .array([])]),
        // SUPPRESS_EMBEDS
        "flags": .integer(4),
      ]).bytes
    }, size: { $0.utf16.count },
    escaped: { text in
      String(
        text.flatMap { character -> [Character] in
          #"\*_~`|<>[]()#-:"#.contains(character) ? ["\\", character] : [character]
        })
    }, address: { "<\($0)>" })

  /// 65,536 bytes of an event, JSON's escapes included (spec.matrix.org, "Size limits").
  static let matrix = ChannelService(
    name: "matrix", limit: 30_000, pause: .seconds(1),
    form: .text { text in
      JSONValue.members([
        "msgtype": .string("m.text"), "body": .string(text), "m.mentions": .members([:]),
      ]).bytes
    }, method: HTTPMethod(rawValue: "PUT"), numbersAddresses: true,
    escaped: withoutRoomMentions, address: { $0.replacing("@room", with: "%40room") })

  /// 4,096 bytes of plain text, and one message every five seconds on average (docs.ntfy.sh,
  /// "Limitations").
  static let ntfy = ChannelService(
    name: "ntfy", limit: 4096, pause: .seconds(5), form: .text { Array($0.utf8) },
    contentType: "text/plain; charset=utf-8", title: { $0 == 1 ? "New post" : "New posts" })

  /// Any server that takes a POST of `{"posts": […]}`.
  static let json = ChannelService(name: "json", limit: .max, pause: .zero, form: .posts(100))

  /// Slack knows these three alone, and shows any other as it is written (docs.slack.dev, "Escaping text").
  private static func escapedForSlack(_ text: String) -> String {
    MarkupEscape.escaped(text, keeping: "\"'")
  }

  /// The invisible U+2060 keeps the word from notifying everybody.
  private static func withoutRoomMentions(_ text: String) -> String {
    var text = text
    while let range = text.lowercased().firstRange(of: "@room") {
      let lowercase = text.lowercased()
      let start = lowercase.distance(from: lowercase.startIndex, to: range.lowerBound)
      text.insert("\u{2060}", at: text.index(text.startIndex, offsetBy: start + 1))
    }
    return text
  }
}
