import TextFormats

/// The parts of an answer that the source reads, for Foundation's decoder to read the same.
struct DecodedAnswer: Decodable {
  struct Post: Decodable {
    struct Metrics: Decodable {
      var retweet_count: Int
      var reply_count: Int
      var like_count: Int
      var impression_count: Int
    }

    struct Entities: Decodable {
      struct Link: Decodable {
        var start: Int
        var end: Int
        var url: String
        var expanded_url: String
      }

      var urls: [Link]
    }

    var id: String
    var text: String
    var author_id: String
    var created_at: String
    var lang: String
    var edit_history_tweet_ids: [String]
    var possibly_sensitive: Bool
    var public_metrics: Metrics
    var entities: Entities
  }

  struct User: Decodable {
    var id: String
    var name: String
    var username: String
  }

  struct Includes: Decodable {
    var users: [User]
  }

  var data: [Post]
  var includes: Includes
}

extension DecodedAnswer {
  /// Reads the same parts from a document that simdjson has parsed; nil when one is missing.
  init?(_ root: JSONNode) {
    guard let posts = root["data"], let users = root["includes"]?["users"] else { return nil }
    data = posts.elements.compactMap(Post.init)
    includes = Includes(users: users.elements.compactMap(User.init))
  }
}

extension DecodedAnswer.Post {
  fileprivate init?(_ node: JSONNode) {
    guard let id = node["id"]?.string, let text = node["text"]?.string,
      let author = node["author_id"]?.string, let date = node["created_at"]?.string,
      let lang = node["lang"]?.string, let history = node["edit_history_tweet_ids"],
      let isSensitive = node["possibly_sensitive"]?.bool,
      let metrics = node["public_metrics"].flatMap(Metrics.init),
      let links = node["entities"]?["urls"]
    else { return nil }
    self.init(
      id: id, text: text, author_id: author, created_at: date, lang: lang,
      edit_history_tweet_ids: history.elements.compactMap(\.string),
      possibly_sensitive: isSensitive, public_metrics: metrics,
      entities: Entities(urls: links.elements.compactMap(Entities.Link.init)))
  }
}

extension DecodedAnswer.Post.Metrics {
  fileprivate init?(_ node: JSONNode) {
    guard let reposts = node["retweet_count"]?.integer, let replies = node["reply_count"]?.integer,
      let likes = node["like_count"]?.integer, let views = node["impression_count"]?.integer
    else { return nil }
    self.init(
      retweet_count: Int(reposts), reply_count: Int(replies), like_count: Int(likes),
      impression_count: Int(views))
  }
}

extension DecodedAnswer.Post.Entities.Link {
  fileprivate init?(_ node: JSONNode) {
    guard let start = node["start"]?.integer, let end = node["end"]?.integer,
      let url = node["url"]?.string, let expanded = node["expanded_url"]?.string
    else { return nil }
    self.init(start: Int(start), end: Int(end), url: url, expanded_url: expanded)
  }
}

extension DecodedAnswer.User {
  fileprivate init?(_ node: JSONNode) {
    guard let id = node["id"]?.string, let name = node["name"]?.string,
      let username = node["username"]?.string
    else { return nil }
    self.init(id: id, name: name, username: username)
  }
}
