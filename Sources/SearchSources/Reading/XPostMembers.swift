internal import TextFormats

/// The members of one of X's posts, found in one pass, in either vocabulary.
struct XPostMembers {
  private(set) var id: JSONNode?
  private(set) var text: JSONNode?
  private(set) var authorID: JSONNode?
  private(set) var createdAt: JSONNode?
  private(set) var language: JSONNode?
  private(set) var references: JSONNode?
  /// The identifiers of all versions, the first one first.
  private(set) var history: JSONNode?
  private(set) var extras = XPostExtras()
  private(set) var metrics: JSONNode?
  private(set) var isSensitive: JSONNode?

  init(_ post: JSONNode) {
    for (key, value) in post.members where !value.isNull {
      switch MemberKey(key) {
      case "id": id = value
      case "text": text = value
      case "author_id": authorID = value
      case "created_at": createdAt = value
      case "lang": language = value
      case "entities": extras.entities = value
      case "public_metrics": metrics = value
      case "possibly_sensitive": isSensitive = value
      case "attachments": extras.attachments = value
      // If both words occur, the newer one counts.
      case "edit_history_post_ids": history = value
      case "edit_history_tweet_ids": history = history ?? value
      case "referenced_posts": references = value
      case "referenced_tweets": references = references ?? value
      case "note_post": extras.note = value
      case "note_tweet": extras.note = extras.note ?? value
      default: continue
      }
    }
  }
}

/// The members of one of X's posts that a retweet shows of the original.
struct XPostExtras {
  /// The long form of a post; its text is then the beginning.
  var note: JSONNode?
  var entities: JSONNode?
  var attachments: JSONNode?
}

/// The members of an address in one of X's texts, found in one pass.
struct XAddress {
  private(set) var start: JSONNode?
  private(set) var short: JSONNode?
  private(set) var expanded: JSONNode?
  private var shown: JSONNode?

  init(_ address: JSONNode) {
    for (key, value) in address.members where !value.isNull {
      switch MemberKey(key) {
      case "start": start = value
      case "url": short = value
      case "expanded_url": expanded = value
      case "display_url": shown = value
      default: continue
      }
    }
  }

  /// True if it links to a picture, which is already among the media of the post.
  var isOfPicture: Bool {
    shown?.hasPrefix("pic.twitter.com/") == true || shown?.hasPrefix("pic.x.com/") == true
  }
}
