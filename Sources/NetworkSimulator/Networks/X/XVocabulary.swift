/// X's words for its own things: those of before August 2026, and those since.
enum XVocabulary: Sendable, Hashable {
  case tweet, post

  var fields: String { self == .tweet ? "tweet.fields" : "post.fields" }
  var editHistory: String { self == .tweet ? "edit_history_tweet_ids" : "edit_history_post_ids" }
  var referenced: String { self == .tweet ? "referenced_tweets" : "referenced_posts" }
  var referencedExpansion: String { self == .tweet ? "referenced_tweets.id" : "referenced_posts" }
  var included: String { self == .tweet ? "tweets" : "posts" }
  var note: String { self == .tweet ? "note_tweet" : "note_post" }
  var reposts: String { self == .tweet ? "retweet_count" : "repost_count" }
  var posted: String { self == .tweet ? "tweet_count" : "post_count" }

  /// The names that the parameter of fields takes.
  var fieldNames: [String] {
    let common = [
      "article", "attachments", "card_uri", "community_id", "context_annotations",
      "conversation_id", "created_at", "display_text_range", "edit_controls", editHistory,
      "entities", "geo", "id", "in_reply_to_user_id", "lang", "media_metadata", note,
      "possibly_sensitive", "public_metrics", referenced, "reply_settings", "scopes", "source",
      "text", "withheld",
    ]
    // Of the new fields the author is none: it comes by its expansion alone.
    return self == .tweet ? common + ["author_id"] : common
  }

  /// The names that `expansions` takes.
  var expansionNames: [String] {
    [
      "author_id", "attachments.media_keys", "attachments.poll_ids", "in_reply_to_user_id",
      "geo.place_id", "entities.mentions.username", editHistory, referencedExpansion,
      referencedExpansion + ".author_id", referencedExpansion + ".attachments.media_keys",
    ]
  }

  static let userFieldNames = [
    "affiliation", "connection_status", "created_at", "description", "entities", "id",
    "is_identity_verified",
    "location", "most_recent_tweet_id", "most_recent_post_id", "name", "parody",
    "pinned_tweet_id", "pinned_post_id", "profile_banner_url", "profile_image_url", "protected",
    "public_metrics", "receives_your_dm", "subscription", "subscription_type", "url", "username",
    "verified", "verified_followers_count", "verified_type", "withheld",
  ]
  static let mediaFieldNames = [
    "alt_text", "duration_ms", "height", "media_key", "non_public_metrics", "organic_metrics",
    "preview_image_url", "promoted_metrics", "public_metrics", "type", "url", "variants", "width",
  ]
}
