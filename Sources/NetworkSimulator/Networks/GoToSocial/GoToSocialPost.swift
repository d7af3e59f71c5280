internal import TextFormats

/// A post on the simulated GoToSocial server.
struct GoToSocialPost: Sendable {
  /// Who writes there; the owner is the account that the accepted token belongs to.
  enum Author: String, CaseIterable, Sendable {
    case owner = "alice1"
    case neighbor = "bob1"
    /// Somebody whose home is another server.
    case stranger = "carol@fediverse.example"

    /// As the server writes it: its own people go without a host.
    var handle: String { rawValue }
    var name: String { String(rawValue.prefix { $0 != "@" }) }
  }

  let id: String
  let author: Author
  let isReplyToOwner: Bool
  let visibility: String
  private let milliseconds: Int
  private let sentence: Sentence
  private let base: String

  /// A text with its language and hashtags; `#tag` in it becomes a link, as the server writes it.
  private struct Sentence: Sendable {
    var text: String
    var language: String?
    var warning = ""
  }

  private static let count = 260

  /// Texts that tell whole words, phrases, word order, cases and languages apart.
  private static let sentences = [
    Sentence(text: "swift concurrency in practice", language: "en"),
    Sentence(text: "Concurrency in Swift, explained again #SwiftLang", language: "en"),
    Sentence(text: "A party for swifts, swiftly & concurrently", language: "en"),
    Sentence(text: "The art of data races <and> \"data race\" reports", language: "en"),
    Sentence(text: "Ein neues Gerät: das Gadget #SwiftLang", language: "de"),
    Sentence(text: "a gadget and a widget #gadgets", language: "en"),
    Sentence(text: "a widget before the gadget", language: "en", warning: "tech talk"),
    Sentence(text: "Überraschung! Swift spricht Deutsch #swift", language: "de"),
    Sentence(text: "メモ: #SwiftLang のアクターモデル", language: "ja"),
    Sentence(text: "le modèle d’acteurs de Swift, c'est l'art", language: "fr"),
    Sentence(text: "nothing of note, no language either: c++ and swift", language: nil),
    Sentence(text: "race data, then a data race in a gadget #swift", language: "en"),
    Sentence(text: "behind the curtain", language: "en", warning: "swift gadget"),
  ]

  /// All posts of the server, newest first.
  static func all(seed: UInt64, now: Int, host base: String) -> [GoToSocialPost] {
    var numbers = SplitMix64(seed: StableHash.of("gotosocial", seed: seed))
    var moment = now
    return (0..<count).map { _ in
      moment -= numbers.draw(60_000...7_200_000)
      let author = numbers.pick(Author.allCases)
      let noise = numbers.next()
      return GoToSocialPost(
        id: identifier(moment, noise: noise), author: author,
        isReplyToOwner: author != .owner && numbers.chance(40),
        visibility: visibility(by: author, noise: noise), milliseconds: moment,
        sentence: numbers.pick(sentences), base: base)
    }
  }

  /// The owner writes some posts for followers, or for one person alone.
  private static func visibility(by author: Author, noise: UInt64) -> String {
    guard author == .owner else { return "public" }
    switch noise % 16 {
    case 0: return "direct"
    case 1: return "private"
    case 2: return "mutuals_only"
    case 3: return "unlisted"
    default: return "public"
    }
  }

  /// True if everyone may see it.
  var isOpen: Bool { visibility == "public" || visibility == "unlisted" }

  /// A ULID: the moment in 10 characters, then 16 of noise. https://github.com/ulid/spec
  private static func identifier(_ moment: Int, noise: UInt64) -> String {
    let digits = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
    let head = (0..<10).map { digits[moment >> (45 - 5 * $0) & 31] }
    let tail = (0..<16).map { place in digits[Int(truncatingIfNeeded: noise >> (place * 4)) & 15] }
    return String(head + tail)
  }

  /// The names of its hashtags, in lower case.
  var tags: Set<String> {
    Set(
      sentence.text.split(separator: " ").filter { $0.hasPrefix("#") }
        .map { $0.dropFirst().lowercased() })
  }

  /// The text that the server searches: SQLite's `LOWER` handles ASCII only.
  var searchedText: String {
    String(
      decoding: (content + sentence.warning).utf8.map { byte in
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
      }, as: UTF8.self)
  }

  private var content: String {
    let mention =
      isReplyToOwner
      ? "<span class=\"h-card\"><a href=\"\(base)/@alice1\" class=\"u-url mention\">@<span>alice1"
        + "</span></a></span> " : ""
    let words = sentence.text.split(separator: " ").map { word in
      guard word.hasPrefix("#") else { return Markup.escaped(String(word)) }
      let name = word.dropFirst()
      return "<a href=\"\(base)/tags/\(name.lowercased())\" class=\"mention hashtag\" "
        + "rel=\"tag nofollow noreferrer noopener\" target=\"_blank\">#<span>\(name)</span></a>"
    }
    return "<p>\(mention)\(words.joined(separator: " "))</p>"
  }

  private var home: String {
    author == .stranger ? "https://fediverse.example" : base
  }

  var json: JSONValue {
    .members([
      "id": .string(id), "created_at": .string(DateForms.milliseconds(milliseconds)),
      "edited_at": .null, "in_reply_to_id": isReplyToOwner ? "01M7FVNFJ0P1KW6KDWHFXJFJP1" : .null,
      "in_reply_to_account_id": isReplyToOwner ? "01ZSJHAGK603347EHNDHXT2Q52" : .null,
      "sensitive": .bool(false), "spoiler_text": .string(sentence.warning),
      "visibility": .string(visibility), "language": .text(sentence.language),
      "uri": .string("\(home)/users/\(author.name)/statuses/\(id)"),
      "url": .string("\(home)/@\(author.name)/statuses/\(id)"), "replies_count": .integer(0),
      "reblogs_count": .integer(0), "favourites_count": .integer(milliseconds % 7),
      "pinned": .bool(false), "content": .string(content), "reblog": .null,
      "account": .members([
        "id": "01JNWV935GA1J1WT12P6K95CCX", "username": .string(author.name),
        "acct": .string(author.handle), "display_name": .string(author.name.uppercased()),
        "url": .string("\(home)/@\(author.name)"),
      ]),
      "media_attachments": .emptyArray, "mentions": .emptyArray,
      "tags": .array(tags.sorted().map { .members(["name": .string($0)]) }),
      "emojis": .emptyArray, "card": .null, "poll": .null, "text": .string(sentence.text),
      "content_type": "text/plain", "interaction_policy": .members([:]),
    ])
  }
}
