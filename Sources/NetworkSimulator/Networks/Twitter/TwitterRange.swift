/// The parameters that both retired APIs know: which of the found posts are asked for.
struct TwitterRange: Sendable {
  let terms: QueryTerms
  private let maxID: UInt64
  private let sinceID: UInt64
  private let until: Int
  private let language: String?
  private let world: SimulatedWorld

  init(_ query: String, _ parameters: Parameters, world: SimulatedWorld) {
    terms = QueryTerms(query)
    maxID = parameters["max_id"].flatMap { UInt64($0) } ?? .max
    sinceID = parameters["since_id"].flatMap { UInt64($0) } ?? 0
    until = parameters["until"].flatMap { DateReading.day($0) } ?? .max
    language = parameters["lang"]
    self.world = world
  }

  /// The posts in it, newest first; `max_id` is inclusive, `since_id` and `until` are not.
  var posts: [CorpusPost] {
    world.posts(terms, network: "twitter-classic").filter { post in
      let id = TwitterText.snowflake(post)
      return id <= maxID && id > sinceID && post.milliseconds < until
        && (language == nil || language == post.language)
    }
  }
}
