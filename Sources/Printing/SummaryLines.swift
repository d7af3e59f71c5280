internal import FoundationEssentials
package import SearchModel
internal import TextFormats

/// The lines on standard error that report how the searches ended.
package enum SummaryLines {
  /// The most queries that a line names.
  private static let namedTags = 3

  /// Returns a line for each way in which searches of a server were not completed, in plan order.
  ///
  /// Equal outcomes share a line, which names the first queries and counts the rest. A search that the default
  /// bound on costs ended counts as completed, but is named where the run wanted more.
  ///
  /// - Parameters:
  ///   - isVerbose: Whether to include all completed searches with notes.
  ///   - clock: How moments are written.
  ///   - isEmpty: Whether to include a completed search with notes, because no post of it was printed.
  package static func lines(
    for outcomes: [SearchOutcome], isVerbose: Bool = false, clock: ReportClock = .utc,
    isEmpty: (SearchOutcome) -> Bool = { _ in false }
  ) -> [String] {
    let noNetwork = noNetwork(outcomes)
    var groups: [OutcomeGroup] = []
    var indices: [OutcomeGroup.Key: Int] = [:]
    // A signal ends every unfinished search: that is one piece of news.
    let canceled = canceled(outcomes)
    for outcome in outcomes {
      if canceled != nil, outcome.ending == .cancelled { continue }
      if case .completed(let notes) = outcome.ending,
        notes.isEmpty || !isVerbose && !outcome.isCutByDefault && !isEmpty(outcome)
      {
        continue
      }
      if noNetwork != nil, case .failed = outcome.ending { continue }
      // Usually one of the latest groups: there are few servers, and few ways to end.
      if groups.indices.suffix(8).contains(where: { groups[$0].joinIfEqual(outcome) }) { continue }
      let group = OutcomeGroup(outcome)
      if let index = indices[group.key] {
        groups[index].join(group)
      } else {
        indices[group.key] = groups.count
        groups.append(group)
      }
    }
    return [noNetwork].compactMap(\.self)
      + groups.map { ControlCodes.strippedToLine($0.line(naming: namedTags, clock)) }
      + [canceled].compactMap(\.self)
  }

  /// Returns the outcomes without those that a default run has at every turn: searches that were not made,
  /// on networks that nobody asked for by name.
  ///
  /// All outcomes of a tag remain that could be searched nowhere.
  ///
  /// - Parameters:
  ///   - named: The networks that somebody asked for by name.
  ///   - all: The outcomes of the whole run, where these are only some of them.
  package static func worthNaming(
    _ outcomes: [SearchOutcome], named: Set<SourceName>, among all: [SearchOutcome]? = nil
  ) -> [SearchOutcome] {
    // There may be millions of outcomes, and usually none is skipped: they need not be copied.
    guard outcomes.contains(where: \.isSkipped) else { return outcomes }
    let unasked = Set((all ?? outcomes).unaskedTags.map(\.tag))
    return outcomes.filter { outcome in
      !outcome.isSkipped || named.contains(outcome.source) || unasked.contains(outcome.tag)
    }
  }

  /// Returns the line for searches that a signal ended; nil for fewer than two.
  private static func canceled(_ outcomes: [SearchOutcome]) -> String? {
    var number = 0
    var sources: [SourceName] = []
    for outcome in outcomes where outcome.ending == .cancelled {
      number += 1
      if sources.last != outcome.source, !sources.contains(outcome.source) {
        sources.append(outcome.source)
      }
    }
    guard number > 1 else { return nil }
    let names = sources.prefix(sources.count > namedTags ? namedTags - 1 : namedTags)
    let rest = sources.count - names.count
    let list = names.map(\.rawValue).joined(separator: ", ")
    return
      "\(number) searches were canceled: \(list)\(rest > 0 ? " and \(rest) more sources" : "")"
  }

  /// Returns the line for a run that reached none of several hosts; nil for any other run.
  private static func noNetwork(_ outcomes: [SearchOutcome]) -> String? {
    var hosts: Set<String> = []
    var failures: Set<String> = []
    for outcome in outcomes {
      switch outcome.ending {
      case .skipped: continue
      case .failed(let failure) where failure.isUnreachable:
        if let server = outcome.server { hosts.insert(server.host) }
        failures.insert([failure.message, failure.advice ?? ""].joined(separator: ": "))
      case .completed, .partial, .rateLimited, .failed, .cancelled: return nil
      }
    }
    guard hosts.count > 1 else { return nil }
    // All have failed at the same proxy.
    if let failure = failures.first, failures.count == 1, failure.hasPrefix("the proxy") {
      return failure
    }
    return "no network: none of \(hosts.count) hosts could be reached: check the connection"
  }

  /// Returns the words that describe how a search ended.
  package static func words(for outcome: SearchOutcome, _ clock: ReportClock = .utc) -> String {
    ControlCodes.strippedToLine(OutcomeGroup(outcome).words(clock).joined(separator: ": "))
  }

  /// Returns the line that closes a run on a terminal: the posts found, and the searches that failed.
  package static func closing(
    _ posts: some Collection<Post>, outcomes: [SearchOutcome]
  ) -> String {
    closing(posts.count, from: Set(posts.lazy.map(\.source)), outcomes: outcomes)
  }

  /// Returns that line for posts that are counted already.
  package static func closing(
    _ count: Int, from networks: Set<SourceName>, outcomes: [SearchOutcome]
  ) -> String {
    let found =
      count == 0
      ? "no posts"
      : "\(Plural.count(count, "post")) from \(Plural.count(networks.count, "network"))"
    let missing = [
      (outcomes.count(where: \.ending.isFailure), "failed"),
      (outcomes.count { $0.ending == .cancelled }, "canceled"),
      (outcomes.count(where: \.isSkipped), "skipped"),
    ]
    .filter { $0.0 > 0 }
    guard let first = missing.first else { return found }
    // Only the first part names the total: "2 of 12 searches failed, 1 skipped".
    let searches = "\(first.0) of \(Plural.count(outcomes.count, "search", "searches")) \(first.1)"
    let rest = missing.dropFirst().map { "\($0.0) \($0.1)" }
    return "\(found); \(([searches] + rest).joined(separator: ", "))"
  }

  /// Returns the line that counts the posts left out by filters; nil if there are none.
  package static func leftOut(_ tally: FilterTally) -> String? {
    let parts = tally.all.filter { $0.count > 0 }.map { reason, number in
      switch reason {
      case .words: "\(number) excluded by words"
      case .authors: "\(number) by muted or excluded authors"
      case .reposts: Plural.count(number, "repost")
      case .replies: Plural.count(number, "reply", "replies")
      case .languages: "\(number) in other languages"
      case .languageUnknown: "\(number) without a language"
      case .likes: "\(number) by --min-likes"
      case .private: "\(Plural.count(number, "private post")) (--include-private shows them)"
      case .signedOut: "\(number) by authors who are visible only to signed-in users"
      case .undated: "\(number) undated"
      }
    }
    return parts.isEmpty ? nil : "left out: \(parts.joined(separator: ", "))"
  }
}

/// Searches of one server with the same outcome, reported on one line.
private struct OutcomeGroup {
  /// The common properties of the searches in a group.
  ///
  /// Of texts it holds only the pattern, since a server may put the identifier of the request into each
  /// response. The moment and the number of broken items may differ.
  struct Key: Hashable {
    let source: SourceName
    let server: ServerAddress?
    let name: OutcomeName
    let status: Int?
    let message: String?
    let advice: String?
    let notes: Set<String>
  }

  let key: Key
  /// The outcome of the first search.
  private let details: OutcomeDetails
  private let notes: NoteTally
  private var tags: [String]
  private var until: Date?
  private var brokenItems: Int
  /// True if the messages differ in details.
  private var isMixed = false
  private let first: SearchOutcome

  init(_ outcome: SearchOutcome) {
    details = OutcomeDetails(outcome.ending)
    notes = NoteTally(details.notes)
    until = details.until
    brokenItems = details.brokenItems
    key = Key(
      source: outcome.source, server: outcome.server, name: details.name, status: details.status,
      message: details.message.map(MessagePattern.of),
      advice: details.advice.map(MessagePattern.of), notes: notes.kinds)
    tags = [outcome.tag]
    first = outcome
  }

  /// Adds a group with the same key: keeps the later moment, and adds up the broken items.
  mutating func join(_ other: OutcomeGroup) {
    tags += other.tags
    brokenItems += other.brokenItems
    until = [until, other.until].compactMap(\.self).max()
    isMixed = isMixed || other.isMixed || details.message != other.details.message
  }

  /// Adds an outcome that differs from the first one only in its query; returns whether it does.
  // Thousands of searches that end together end alike: comparing outcomes is cheaper than breaking
  // each of them down.
  mutating func joinIfEqual(_ outcome: SearchOutcome) -> Bool {
    guard outcome.ending == first.ending, outcome.source == first.source,
      outcome.server == first.server
    else { return false }
    tags.append(outcome.tag)
    brokenItems += details.brokenItems
    return true
  }

  /// Returns `SOURCE (SERVER): TAGS: WHAT HAPPENED: WHAT TO DO`.
  func line(naming count: Int, _ clock: ReportClock) -> String {
    let server = key.server.map { " (\($0))" } ?? ""
    return (["\(key.source)\(server)", names(count)] + words(clock)).joined(separator: ": ")
  }

  private func names(_ count: Int) -> String {
    guard tags.count > count else { return tags.joined(separator: ", ") }
    let named = tags.prefix(count - 1)
    return "\(named.joined(separator: ", ")) and \(tags.count - named.count) more"
  }

  /// The message, the notes and the advice.
  func words(_ clock: ReportClock) -> [String] {
    var message = details.message
    if let status = details.status, message.map({ !$0.contains("\(status)") }) ?? true {
      message = message.map { "\($0) (\(status))" } ?? "HTTP status \(status)"
    }
    if isMixed { message? += " (the details differ)" }
    if let sentence = message, sentence.hasSuffix("."), !sentence.hasSuffix("..") {
      message = String(sentence.dropLast())
    }
    let notes = notes.lines.isEmpty ? nil : notes.lines.joined(separator: "; ")
    return [state(clock), message, notes, details.advice].compactMap(\.self)
  }

  /// The word for the outcome; nil for a failure, whose message is enough.
  private func state(_ clock: ReportClock) -> String? {
    switch key.name {
    case .completed: "completed"
    case .skipped: "skipped"
    case .partial:
      switch brokenItems {
      case 0: until.flatMap(clock.text).map { "incomplete until \($0)" } ?? "incomplete"
      case 1: "incomplete: 1 item could not be read"
      default: "incomplete: \(brokenItems) items could not be read"
      }
    case .rateLimited:
      until.flatMap(clock.text).map { "rate limited until \($0)" } ?? "rate limited"
    case .failed: until.flatMap(clock.text).map { "unavailable until \($0)" }
    case .cancelled: "canceled"
    }
  }
}

/// The notes of a search, grouped by kind: a network may send the same note about dozens of posts.
private struct NoteTally {
  private var counts: [(pattern: String, first: String, count: Int)] = []

  init(_ notes: [String]) {
    var indices: [String: Int] = [:]
    for note in notes {
      let pattern = MessagePattern.of(note)
      if let index = indices[pattern] {
        counts[index].count += 1
      } else {
        indices[pattern] = counts.endIndex
        counts.append((pattern, note, 1))
      }
    }
  }

  /// The pattern of each kind.
  var kinds: Set<String> { Set(counts.map(\.pattern)) }

  /// The first note of each kind, with the number of others like it.
  var lines: [String] {
    counts.map { $0.count == 1 ? $0.first : "\($0.first) (and \($0.count - 1) more like it)" }
  }
}

/// The part that messages of one kind have in common: the text without what differs from response to
/// response, such as a request's identifier, a moment, a number of bytes or a path.
private enum MessagePattern {
  /// The mark that replaces what differs.
  private static let gap: UInt8 = 0x23
  /// The longest word, in bytes: a longer run without a space is an identifier.
  private static let longestWord = 30

  /// Returns a text with a mark in place of each word that is specific to one response or query: words
  /// with a digit or a sign of an address, overlong words, and quoted text.
  static func of(_ text: String) -> String {
    var pattern: [UInt8] = []
    for word in unquoted(Array(text.utf8)).split(separator: 0x20) {
      if !pattern.isEmpty { pattern.append(0x20) }
      let isName = word.count > longestWord || word.contains(where: isSign)
      if isName { pattern.append(gap) } else { pattern.append(contentsOf: word) }
    }
    return String(decoding: pattern, as: UTF8.self)
  }

  private static func isSign(_ byte: UInt8) -> Bool {
    byte.isASCIIDigit || "/%=&_".utf8.contains(byte)
  }

  /// Returns a text with a mark in place of each quotation.
  private static func unquoted(_ text: [UInt8]) -> [UInt8] {
    var rest: [UInt8] = []
    var index = text.startIndex
    while index < text.endIndex {
      let byte = text[index]
      let isQuote = byte == 0x22 || byte == 0x27
      // An apostrophe is preceded by a letter.
      let begins = index == 0 || text[index - 1] == 0x20 || text[index - 1] == 0x28
      if isQuote, begins, let end = text[(index + 1)...].firstIndex(of: byte) {
        rest.append(gap)
        index = end + 1
      } else {
        rest.append(byte)
        index += 1
      }
    }
    return rest
  }
}
