internal import FoundationEssentials
internal import SearchModel
internal import TextFormats

// The objects of the JSON formats: their keys and types are a contract, and so is the order of the keys.
extension JSONWriter {
  /// Writes a post as an object.
  // Field by field rather than by way of `PostField.value`: 100,000 posts take half the time.
  mutating func post(_ post: borrowing Post, _ fields: FieldSelection = .all) {
    beginObject()
    if fields.parts.isEmpty {
      members(of: post, fields)
    } else {
      for part in fields.parts { members(of: post, part) }
    }
    endObject()
  }

  private mutating func members(of post: borrowing Post, _ fields: FieldSelection) {
    let (isFuture, tags) = (post.isFuture, post.tags)
    let (source, server) = (post.source.rawValue, post.server.text)
    let (createdAt, also) = (post.createdAt, post.also)
    post.read { record, texts in
      func member(_ name: StaticString, _ field: PostField, _ text: TextRange) {
        guard fields.contains(field), !text.isNone else { return }
        key(plain: name)
        visibleString(texts[text])
      }
      func list(_ name: StaticString, _ field: PostField, _ list: TextList) {
        guard fields.contains(field), !list.isEmpty else { return }
        key(plain: name)
        beginArray()
        for text in texts[list] { visibleString(text) }
        endArray()
      }
      member("id", .id, record.id)
      if fields.contains(.source) { self.member("source", source) }
      if fields.contains(.server) { self.member("server", server) }
      member("url", .url, record.url)
      member("uri", .uri, record.uri)
      // An account that is known but says nothing about itself is an empty object.
      if !record.author.isUnknown {
        author("author", record.author, texts, fields, .authorHandle, .authorName, .authorURL)
      }
      member("title", .title, record.title)
      if fields.contains(.text) {
        key(plain: "text")
        visibleString(texts[record.text])
      }
      if fields.contains(.createdAt) {
        key(plain: "created_at")
        if let createdAt { self.date(createdAt) } else { null() }
      }
      if isFuture, fields.contains(.future) { self.member("future", true) }
      if fields.contains(.editedAt) { self.member("edited_at", record.editedAt) }
      member("language", .language, record.language)
      if fields.contains(.tags) { self.member("tags", tags) }
      list("topics", .topics, record.topics)
      list("links", .links, record.links)
      attachments(record.attachments, fields)
      counts(record.counts, fields)
      member("reply_to", .replyTo, record.replyTo)
      member("repost_of", .repostOf, record.repostOf)
      if let reposter = record.repostedBy {
        author(
          "reposted_by", reposter, texts, fields, .reposterHandle, .reposterName, .reposterURL)
      }
      if fields.contains(.sensitive), let isSensitive = record.isSensitive {
        self.member("sensitive", isSensitive)
      }
      member("content_warning", .contentWarning, record.contentWarning)
      list("poll", .poll, record.poll)
      if fields.contains(.also) { self.member("also", also.map(\.address)) }
      if fields.contains(.visibility), let visibility = record.visibility {
        self.member("visibility", visibility.rawValue)
      }
    }
  }

  private mutating func author(
    _ name: StaticString, _ author: AuthorRecord, _ texts: PostTexts, _ fields: FieldSelection,
    _ handle: PostField, _ displayName: PostField, _ url: PostField
  ) {
    guard fields.contains(handle) || fields.contains(displayName) || fields.contains(url) else {
      return
    }
    key(plain: name)
    beginObject()
    if !author.handle.isEmpty, fields.contains(handle) {
      key(plain: "handle")
      visibleString(texts[author.handle])
    }
    if fields.contains(displayName), !author.name.isNone {
      key(plain: "name")
      visibleString(texts[author.name])
    }
    if fields.contains(url), !author.url.isNone {
      key(plain: "url")
      visibleString(texts[author.url])
    }
    endObject()
  }

  private mutating func attachments(_ attachments: [PostAttachment], _ fields: FieldSelection) {
    guard !attachments.isEmpty else { return }
    if fields.contains(.media) { member("media", attachments.map(\.url)) }
    guard fields.contains(.attachments) else { return }
    key(plain: "attachments")
    beginArray()
    for attachment in attachments { self.attachment(attachment) }
    endArray()
  }

  /// Writes an attachment as an object.
  fileprivate mutating func attachment(_ attachment: PostAttachment) {
    beginObject()
    member("url", attachment.url)
    member("kind", attachment.kind?.rawValue)
    member("type", attachment.type)
    member("description", attachment.description)
    member("thumbnail", attachment.thumbnail)
    endObject()
  }

  private mutating func counts(_ counts: Counts, _ fields: FieldSelection) {
    guard counts != Counts(), fields.contains(anyOf: .likes, .reposts, .replies, .views) else {
      return
    }
    key(plain: "counts")
    beginObject()
    if fields.contains(.likes) { member("likes", counts.likes) }
    if fields.contains(.reposts) { member("reposts", counts.reposts) }
    if fields.contains(.replies) { member("replies", counts.replies) }
    if fields.contains(.views) { member("views", counts.views) }
    endObject()
  }

  /// Writes the outcome of a search as an object.
  mutating func outcome(_ outcome: borrowing SearchOutcome) {
    beginObject()
    member("tag", outcome.tag)
    member("source", outcome.source.rawValue)
    member("server", outcome.server?.text)
    switch outcome.ending {
    // Thousands may be canceled at once, and have nothing more to say.
    case .cancelled: member("outcome", OutcomeName.cancelled.rawValue)
    case .completed, .skipped, .partial, .rateLimited, .failed:
      details(OutcomeDetails(outcome.ending))
    }
    member("posts", outcome.posts)
    member("pages", outcome.pages)
    endObject()
  }

  private mutating func details(_ details: OutcomeDetails) {
    member("outcome", details.name.rawValue)
    member("status", details.status)
    member("message", details.message)
    member("advice", details.advice)
    member("until", details.until)
    if details.brokenItems > 0 { member("broken_items", details.brokenItems) }
    member("notes", details.notes)
  }

  /// Writes the members `outcomes`, `incomplete`, where the run had filters `excluded`, where there are
  /// any `alerts`, where only the newest posts are printed `total`, and where a part of a plan was run
  /// `shard`.
  mutating func closingMembers(of result: RunResult) {
    key(plain: "outcomes")
    beginArray()
    for outcome in result.outcomes { self.outcome(outcome) }
    endArray()
    member("incomplete", result.isIncomplete)
    if !result.excluded.isEmpty {
      key(plain: "excluded")
      beginObject()
      for (reason, count) in result.excluded.all {
        key(reason.rawValue)
        integer(count)
      }
      endObject()
    }
    member(alerts: result.alerts)
    member("total", result.total)
    if let part = result.part { member(part: part, of: result) }
  }

  /// Writes the member `shard`, with what those need who merge the outputs of all parts.
  private mutating func member(part: PlanPart, of result: RunResult) {
    key(plain: "shard")
    beginObject()
    member("part", part.number)
    member("parts", part.count)
    member("plan", part.plan)
    member("now", result.now)
    member("newest", part.newest)
    member("fields", part.fields ?? [])
    key(plain: "places")
    beginArray()
    for place in part.places { integer(place) }
    endArray()
    key(plain: "failures")
    beginArray()
    for outcome in result.outcomes { string(outcome.ending.failureKind?.rawValue ?? "") }
    endArray()
    endObject()
  }

  /// Writes a member of remote text; nothing when it is nil.
  mutating func member(_ name: StaticString, _ text: String?) {
    guard let text else { return }
    key(plain: name)
    visibleString(text)
  }

  /// Writes a date as RFC 3339; nothing when it is nil or out of the range of RFC 3339.
  mutating func member(_ name: StaticString, _ date: Date?) {
    guard let date, RFC3339.canWrite(date) else { return }
    key(plain: name)
    self.date(date)
  }

  mutating func member(_ name: StaticString, _ number: Int?) {
    guard let number else { return }
    key(plain: name)
    integer(number)
  }

  mutating func member(_ name: StaticString, _ value: Bool) {
    key(plain: name)
    bool(value)
  }

  /// Writes a list of texts; nothing when it is empty.
  mutating func member(_ name: StaticString, _ texts: [String]) {
    guard !texts.isEmpty else { return }
    key(plain: name)
    beginArray()
    for text in texts { visibleString(text) }
    endArray()
  }
}

extension PostAttachment {
  /// Itself as a JSON text, for formats whose values are texts.
  var json: String {
    var writer = JSONWriter(capacity: 200)
    writer.attachment(self)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}

extension JSONWriter {
  /// Writes the member `alerts`; nothing when there are none.
  mutating func member(alerts: [TagAlert]) {
    guard !alerts.isEmpty else { return }
    key(plain: "alerts")
    beginArray()
    for alert in alerts {
      beginObject()
      member("tag", alert.tag)
      switch alert.kind {
      case .silent(let since):
        member("kind", "silent")
        member("since", since)
      case .spike(let rate, let usual):
        member("kind", "spike")
        member("rate", rate)
        key(plain: "usual")
        raw(Self.number(usual))
      }
      endObject()
    }
    endArray()
  }

  /// A median of whole numbers: it has a half at most.
  static func number(_ median: Double) -> String {
    median == median.rounded() ? "\(Int(median))" : "\(median)"
  }
}

extension TagAlert {
  /// Returns the alert as a line for people.
  package func line(_ clock: ReportClock) -> String {
    let line =
      switch kind {
      case .silent(let since): "no post for \(tag) since \(clock.text(since) ?? "its first run")"
      case .spike(let rate, let usual):
        "\(rate) posts for \(tag) in the last hour, usually \(JSONWriter.number(usual))"
      }
    return "alert: \(ControlCodes.strippedToLine(line))"
  }
}
