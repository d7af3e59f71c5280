package import FoundationEssentials
package import SearchModel
package import TextFormats

/// Reads what `JSONWriter` writes of posts and outcomes, from the outputs of earlier runs.
package struct RecordReader {
  /// The addresses read before: there are few servers, and many posts.
  private var servers: [String: ServerAddress] = [:]

  package init() {}

  /// The server of a record; nil for none, or for something else than an address.
  private mutating func server(_ node: JSONNode?) -> ServerAddress? {
    guard let text = node?.string else { return nil }
    if let known = servers[text] { return known }
    let server = ServerAddress.whole(text)
    servers[text] = server
    return server
  }

  /// Reads a post; nil without what identifies it.
  package mutating func post(_ node: JSONNode) -> Post? {
    guard let uri = node["uri"]?.string, let source = node["source"]?.string,
      let server = server(node["server"])
    else { return nil }
    let counts = node["counts"]
    var post = Post(
      id: node["id"]?.string ?? "", source: SourceName(rawValue: source), server: server,
      url: node["url"]?.string, uri: uri, author: node["author"].map(Self.author) ?? Author(),
      title: node["title"]?.string, text: node["text"]?.string ?? "",
      createdAt: node["created_at"]?.rfc3339(), editedAt: node["edited_at"]?.rfc3339(),
      language: node["language"]?.string, topics: Self.texts(node["topics"]),
      links: Self.texts(node["links"]), attachments: Self.attachments(of: node),
      counts: Counts(
        likes: counts?["likes"]?.count, reposts: counts?["reposts"]?.count,
        replies: counts?["replies"]?.count, views: counts?["views"]?.count),
      replyTo: node["reply_to"]?.string, repostOf: node["repost_of"]?.string,
      repostedBy: node["reposted_by"].map(Self.author), isSensitive: node["sensitive"]?.bool,
      contentWarning: node["content_warning"]?.string, poll: Self.texts(node["poll"]),
      visibility: node["visibility"]?.string.map { Visibility(named: $0) })
    post.tags = Self.texts(node["tags"])
    return post
  }

  /// Reads the outcome of a search; nil for something else.
  ///
  /// - Parameter kind: The kind of its failure, which the record itself does not have.
  package mutating func outcome(_ node: JSONNode, kind: Failure.Kind?) -> SearchOutcome? {
    guard let tag = node["tag"]?.string, let source = node["source"]?.string,
      let name = node["outcome"]?.string.flatMap(OutcomeName.init(rawValue:))
    else { return nil }
    var outcome = SearchOutcome(
      tag: tag, source: SourceName(rawValue: source), server: server(node["server"]),
      ending: Self.ending(name, node, kind))
    outcome.posts = node["posts"]?.count
    outcome.pages = node["pages"]?.count
    return outcome
  }

  private static func ending(
    _ name: OutcomeName, _ node: JSONNode, _ kind: Failure.Kind?
  ) -> Ending {
    let message = node["message"]?.string
    let until = node["until"]?.rfc3339()
    let notes = texts(node["notes"])
    let failure = Failure(
      kind ?? .permanent, status: node["status"]?.count, message: message ?? "",
      advice: node["advice"]?.string, until: until)
    switch name {
    case .completed: return .completed(notes: notes)
    case .skipped: return .skipped(reason: message ?? "", needsCredential: kind == .credential)
    case .rateLimited: return .rateLimited(until: until, failure: failure)
    case .failed: return .failed(failure)
    case .cancelled: return .cancelled
    case .partial:
      let brokenItems = node["broken_items"]?.count ?? 0
      // The reason and the failure's words were written as one message.
      guard kind != nil else {
        return .partial(brokenItems: brokenItems, reason: message, notes: notes)
      }
      return .partial(brokenItems: brokenItems, reason: nil, failure: failure, notes: notes)
    }
  }

  /// Reads an alert; nil for something else.
  package static func alert(_ node: JSONNode) -> TagAlert? {
    guard let tag = node["tag"]?.string else { return nil }
    if let since = node["since"]?.rfc3339() {
      return TagAlert(tag: tag, kind: .silent(since: since))
    }
    guard let rate = node["rate"]?.count, let usual = node["usual"]?.double else { return nil }
    return TagAlert(tag: tag, kind: .spike(rate: rate, usual: usual))
  }

  /// Reads the part of a plan that a record names, and its now; nil for something else.
  package static func part(_ node: JSONNode) -> (part: PlanPart, now: Date)? {
    guard let number = node["part"]?.count, let count = node["parts"]?.count,
      let plan = node["plan"]?.string, let now = node["now"]?.rfc3339(),
      let places = node["places"], (1...max(count, 1)).contains(number)
    else { return nil }
    let fields = texts(node["fields"])
    let part = PlanPart(
      number: number, count: count, plan: plan, places: places.elements.compactMap(\.count),
      newest: node["newest"]?.count, fields: fields.isEmpty ? nil : fields)
    return (part, now)
  }

  /// The attachments of a post, some of which may be known by their address alone.
  private static func attachments(of node: JSONNode) -> [PostAttachment] {
    guard let list = node["attachments"] else {
      return texts(node["media"]).map { PostAttachment($0) }
    }
    return list.elements.compactMap { node in
      guard let url = node["url"]?.string else { return nil }
      return PostAttachment(
        url, kind: node["kind"]?.string.flatMap(PostAttachment.Kind.init),
        type: node["type"]?.string, description: node["description"]?.string,
        thumbnail: node["thumbnail"]?.string)
    }
  }

  package static func texts(_ node: JSONNode?) -> [String] {
    var texts: [String] = []
    if let node { for element in node.elements { texts.append(element.string ?? "") } }
    return texts
  }

  private static func author(_ node: JSONNode) -> Author {
    Author(
      handle: node["handle"]?.string ?? "", name: node["name"]?.string, url: node["url"]?.string)
  }
}

extension JSONNode {
  fileprivate var count: Int? { integer.flatMap(Int.init(exactly:)) }
}
