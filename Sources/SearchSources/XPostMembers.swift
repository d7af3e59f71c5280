internal import TextFormats

/// What is read of one of X's posts, found in one walk over its members, in either vocabulary.
struct XPostMembers {
  private(set) var id: JSONNode?
  private(set) var text: JSONNode?
  /// The long form of a post, of which `text` is then the beginning.
  private(set) var note: JSONNode?
  private(set) var authorID: JSONNode?
  private(set) var createdAt: JSONNode?
  private(set) var language: JSONNode?
  private(set) var references: JSONNode?
  /// The identifiers of all versions, the first one first.
  private(set) var history: JSONNode?
  private(set) var entities: JSONNode?
  private(set) var attachments: JSONNode?
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
      case "entities": entities = value
      case "public_metrics": metrics = value
      case "possibly_sensitive": isSensitive = value
      case "attachments": attachments = value
      // Where both words stand, the newer one counts.
      case "edit_history_post_ids": history = value
      case "edit_history_tweet_ids": history = history ?? value
      case "referenced_posts": references = value
      case "referenced_tweets": references = references ?? value
      case "note_post": note = value
      case "note_tweet": note = note ?? value
      case _: continue
      }
    }
  }
}
