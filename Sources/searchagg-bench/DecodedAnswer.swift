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
