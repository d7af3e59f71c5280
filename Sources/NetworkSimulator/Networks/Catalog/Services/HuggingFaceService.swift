internal import TextFormats

/// The Hugging Face Hub: models or datasets, whose ids hold a slash. The next page is in the header.
///
/// <https://huggingface.co/docs/hub/api>
struct HuggingFaceService: CatalogService {
  enum Kind: String { case models, datasets }

  let kind: Kind
  var name: String { "hf-\(kind)" }
  var routes: [[String]] { [["api", kind.rawValue]] }
  let parameters: [String: ParameterRule] = [
    "search": .text, "author": .text, "filter": .text, "full": .text, "cursor": .text,
    "limit": .integer(1...1000), "direction": .choice(["-1"]),
    "sort": .choice(["createdAt", "lastModified", "likes", "downloads", "trendingScore"]),
  ]
  let pace: (limit: Int, seconds: Int)? = (500, 300)

  func answer(_ call: CatalogCall) throws(CatalogError) -> SimulatedAnswer {
    let text = call["search"] ?? ""
    let found = call["sort"] == "createdAt" ? call.posts(text) : call.relevantPosts(text)
    guard let start = OffsetCursor.huggingFace.offset(call["cursor"] ?? "", first: "") else {
      throw CatalogError(400, "Invalid cursor")
    }
    let page = call.page(found, at: start, size: call.integer("limit", default: 1000))
    let items = call.world.items(
      page.shown.map(json), id: "id", text: ["description"], date: "createdAt")
    let answer = SimulatedAnswer.json(.array(items))
    guard let next = page.next else { return answer }
    return answer.adding(
      "Link",
      LinkHeader.value([
        "next": call.address(["cursor": OffsetCursor.huggingFace.text(next)])
      ]))
  }

  private func json(_ post: CorpusPost) -> JSONValue {
    let id = "\(post.author.handle)/Words-\(post.mark % 1_000_000_000)"
    let isDataset = kind == .datasets
    return .members([
      "_id": .string(Alphabet.hexadecimal.random(24, seed: post.mark)), "id": .string(id),
      "author": isDataset ? .string(post.author.handle) : nil,
      "lastModified": isDataset ? .string(DateForms.wholeMilliseconds(post.changed)) : nil,
      "likes": .integer(post.likes), "trendingScore": .integer(post.reposts),
      "private": .bool(false), "downloads": .integer(post.replies),
      "description": isDataset ? .string(post.plainText) : nil,
      "tags": .texts(["transformers"] + post.hashtags),
      "pipeline_tag": isDataset ? nil : "text-generation",
      "library_name": isDataset ? nil : "transformers",
      "createdAt": .string(DateForms.wholeMilliseconds(post.milliseconds)),
      "modelId": isDataset ? nil : .string(id),
    ])
  }

  func failure(_ error: CatalogError) -> SimulatedAnswer {
    .json(.members(["error": .string(error.message)]), status: error.status)
  }

  func headers(stating level: QuotaLevel) -> [(name: String, value: String)] {
    [
      ("RateLimit", "\"api\";r=\(level.remaining);t=189"),
      (
        "RateLimit-Policy",
        "\"fixed window\";\"api\";q=\(level.quota.limit);w=\(level.quota.seconds)"
      ),
    ]
  }

  func slowDown(_ wait: Wait) -> SimulatedAnswer {
    failure(CatalogError(429, "We had to rate limit your IP.")).adding(
      "RateLimit", "\"api\";r=0;t=\(wait.seconds)")
  }
}
