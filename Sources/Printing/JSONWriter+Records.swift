internal import FoundationEssentials
internal import SearchModel
internal import TextFormats

// The objects of the JSON formats: their keys and types are a contract, and so is the order of the keys.
extension JSONWriter {
  /// Writes a post as an object.
  // By place rather than by way of `PostField.value`, which makes strings: 100,000 posts take half the time.
  mutating func post(_ post: PostValues, _ fields: FieldSelection = .all) {
    beginObject()
    let members = post.hasRareFields ? fields.members : fields.usualMembers
    // Read in place: to copy a step would take longer than most steps do.
    members.withUnsafeBufferPointer { members in
      var position = 0
      while position < members.count {
        switch members[position].step {
        case .value(let place): value(of: post, at: place, members[position].key)
        case .group(let range, let steps):
          // An account that is known but says nothing about itself is an empty object.
          if range.contains(where: { post.hasValue(at: PostField.places[$0]) }) {
            key(members[position].key)
            beginObject()
          } else {
            position += steps
          }
        case .groupEnd: endObject()
        }
        position += 1
      }
    }
    endObject()
  }

  /// Writes a member with a value of a post; nothing where it is unknown or empty.
  @inline(__always)
  private mutating func value(of post: PostValues, at place: PostPlace, _ name: JSONKey) {
    switch place {
    case .text(let slot):
      if let text = post.text(slot) { member(name, visible: text) }
    case .handle(let slot):
      if let text = post.text(slot), !text.isEmpty { member(name, visible: text) }
    case .list(let slot, _):
      guard let list = post.list(slot) else { return }
      key(name)
      beginArray()
      for text in list { visibleString(text) }
      endArray()
    case .created:
      key(name)
      if let date = post.createdAt { self.date(date) } else { null() }
    case .date(let slot):
      guard let date = post.date(slot), RFC3339.canWrite(date) else { return }
      key(name)
      self.date(date)
    case .number(let slot):
      if let number = post.number(slot) { member(name, number) }
    case .flag(let slot):
      guard let flag = post.flag(slot) else { return }
      key(name)
      bool(flag)
    case .visibility(let slot):
      guard let visibility = post.visibility(slot) else { return }
      key(name)
      visibleString(visibility.rawValue)
    case .addresses(let slot): list(name, post.attachments(slot).map(\.url))
    case .attachments(let slot):
      let attachments = post.attachments(slot)
      guard !attachments.isEmpty else { return }
      key(name)
      beginArray()
      for attachment in attachments { self.attachment(attachment) }
      endArray()
    case .context(.source):
      key(name)
      visibleString(post.source.rawValue)
    case .context(.server):
      key(name)
      visibleString(post.server.text)
    case .context(.future):
      guard post.isFuture else { return }
      key(name)
      bool(true)
    case .context(.tags): list(name, post.tags)
    case .context(.also): if post.hasCopies { list(name, post.also.map(\.address)) }
    }
  }

  /// Writes a member that is a list of texts; nothing when it is empty.
  private mutating func list(_ name: JSONKey, _ texts: [String]) {
    guard !texts.isEmpty else { return }
    key(name)
    beginArray()
    for text in texts { visibleString(text) }
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
    Int(exactly: median).map(String.init) ?? "\(median)"
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
