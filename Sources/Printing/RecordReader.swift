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
    guard let uri = node["uri"], uri.kind == .string, let source = node["source"]?.string,
      let server = server(node["server"])
    else { return nil }
    var draft = PageDraft(source: SourceName(rawValue: source), server: server)
    var packed = PackedPost()
    var next = 0
    for (key, value) in node.members {
      guard let row = Self.rows.row(of: key, from: &next) else { continue }
      switch row.content {
      case .value(let place): Self.set(place, of: &packed, to: value, in: &draft)
      case .group(let rows):
        guard !value.isNull else { continue }
        rows.beginAccount(of: &packed)
        var next = 0
        for (key, value) in value.members {
          guard let row = rows.row(of: key, from: &next), case .value(let place) = row.content
          else { continue }
          Self.set(place, of: &packed, to: value, in: &draft)
        }
      }
    }
    draft.add(packed)
    var post = draft.posts().first
    post?.tags = node["tags"]?.texts ?? []
    return post
  }

  /// A key of a post's object.
  private struct Row {
    let key: StaticString
    let content: Content

    indirect enum Content {
      case value(PostPlace)
      case group(Rows)
    }
  }

  /// The keys of an object, in the order in which they are written.
  private struct Rows: Sendable {
    let all: [Row]

    /// Returns the row of a key; it is most often the next one, or one of those after it.
    func row(of key: JSONNode, from next: inout Int) -> Row? {
      for _ in all.indices {
        let row = all[next]
        next = next + 1 == all.count ? 0 : next + 1
        if key.isString(row.key) { return row }
      }
      return nil
    }

    /// Gives an account an empty handle: it is known, even if nothing is known about it.
    func beginAccount(of packed: inout PackedPost) {
      for case .value(.handle(let slot)) in all.lazy.map(\.content) { packed[slot] = .empty }
    }
  }

  private static let rows = Rows(
    all: PostField.byKey(PostField.printed).flatMap { member in
      let fields = member.fields.map { Row(key: $0.key, content: .value($0.place)) }
      return member.group.map { [Row(key: $0, content: .group(Rows(all: fields)))] } ?? fields
    })

  /// Sets a field of a post; a value of another type counts as none.
  private static func set(
    _ place: PostPlace, of packed: inout PackedPost, to value: JSONNode, in draft: inout PageDraft
  ) {
    switch place {
    case .text(let slot), .handle(let slot): packed[slot] = draft.keep(value.stringBytes)
    case .list(let slot, let rule): packed[slot] = draft.list(value.texts, rule)
    case .created(let slot), .date(let slot): packed[slot] = value.rfc3339()
    case .number(let slot): packed[slot] = value.count
    case .flag(let slot): packed[slot] = value.bool
    case .visibility(let slot): packed[slot] = value.string.map { Visibility(named: $0) }
    case .addresses(let slot):
      // The attachments themselves say more.
      if packed[slot].isEmpty { packed[slot] = draft.list(value.texts.map { PostAttachment($0) }) }
    case .attachments(let slot): packed[slot] = draft.list(value.elements.compactMap(attachment))
    // The caller reads what identifies it, and its tags; a merge finds out about the others.
    case .context: break
    }
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
    let notes = node["notes"]?.texts ?? []
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
  ///
  /// - Parameter most: The most parts of a plan.
  package static func part(_ node: JSONNode, most: Int) -> (part: PlanPart, now: Date)? {
    guard let number = node["part"]?.count, let count = node["parts"]?.count,
      let plan = node["plan"]?.string, let now = node["now"]?.rfc3339(),
      let places = node["places"], (1...most).contains(count), (1...count).contains(number)
    else { return nil }
    let fields = node["fields"]?.texts ?? []
    let part = PlanPart(
      number: number, count: count, plan: plan, places: places.elements.compactMap(\.count),
      newest: node["newest"]?.count.flatMap { $0 > 0 ? $0 : nil },
      fields: fields.isEmpty ? nil : fields)
    return (part, now)
  }

  private static func attachment(_ node: JSONNode) -> PostAttachment? {
    guard let url = node["url"]?.string else { return nil }
    return PostAttachment(
      url, kind: node["kind"]?.string.flatMap(PostAttachment.Kind.init),
      type: node["type"]?.string, description: node["description"]?.string,
      thumbnail: node["thumbnail"]?.string)
  }
}

extension JSONNode {
  fileprivate var count: Int? { integer.flatMap(Int.init(exactly:)) }
}
