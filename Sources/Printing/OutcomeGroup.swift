internal import FoundationEssentials
internal import SearchModel
internal import TextFormats

/// Searches of one server that ended in the same way, told on one line.
struct OutcomeGroup {
  /// What must be the same; the moment and the number of broken items need not be.
  struct Key: Hashable {
    let source: SourceName
    let server: ServerAddress?
    let details: OutcomeDetails
  }

  let key: Key
  private var tags: [String]
  private var until: Date?
  private var brokenItems: Int
  private let first: SearchOutcome
  private let firstBrokenItems: Int

  init(_ outcome: SearchOutcome) {
    var details = OutcomeDetails(outcome.ending)
    until = details.until
    brokenItems = details.brokenItems
    details.until = nil
    details.brokenItems = 0
    key = Key(source: outcome.source, server: outcome.server, details: details)
    tags = [outcome.tag]
    first = outcome
    firstBrokenItems = brokenItems
  }

  /// Takes in another that has the same key: the later moment, the sum of broken items.
  mutating func join(_ other: OutcomeGroup) {
    tags += other.tags
    brokenItems += other.brokenItems
    until = [until, other.until].compactMap(\.self).max()
  }

  /// Takes in a further outcome that is the same as the first one but for its query; returns whether
  /// it is.
  // Thousands that end together end alike: to compare them is cheaper than to take each apart.
  mutating func joinIfEqual(_ outcome: SearchOutcome) -> Bool {
    guard outcome.ending == first.ending, outcome.source == first.source,
      outcome.server == first.server
    else { return false }
    tags.append(outcome.tag)
    brokenItems += firstBrokenItems
    return true
  }

  /// Returns `SOURCE (SERVER): TAGS: WHAT HAPPENED: WHAT TO DO`.
  func line(naming count: Int) -> String {
    let server = key.server.map { " (\($0))" } ?? ""
    return (["\(key.source)\(server)", names(count)] + words).joined(separator: ": ")
  }

  private func names(_ count: Int) -> String {
    guard tags.count > count else { return tags.joined(separator: ", ") }
    let named = tags.prefix(count - 1)
    return "\(named.joined(separator: ", ")) and \(tags.count - named.count) more"
  }

  /// What happened, and what to do.
  var words: [String] {
    let details = key.details
    var message = details.message
    if let status = details.status, message.map({ !$0.contains("\(status)") }) ?? true {
      message = message.map { "\($0) (\(status))" } ?? "answered \(status)"
    }
    return [state, message].compactMap(\.self) + details.notes + [details.advice].compactMap(\.self)
  }

  /// The words for the outcome; nil for a failure, whose message says enough.
  private var state: String? {
    switch key.details.name {
    case .completed: "completed"
    case .skipped: "skipped"
    case .partial:
      switch brokenItems {
      case 0: "incomplete"
      case 1: "incomplete: 1 item could not be read"
      case _: "incomplete: \(brokenItems) items could not be read"
      }
    case .rateLimited: until.flatMap(moment).map { "rate limited until \($0)" } ?? "rate limited"
    case .failed: nil
    case .cancelled: "cancelled"
    }
  }

  /// The next whole second, as nobody waits for milliseconds; nil when it cannot be written.
  private func moment(_ date: Date) -> String? {
    let second = Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.up))
    guard RFC3339.canWrite(second) else { return nil }
    return "\(RFC3339.format(second).prefix(19))Z"
  }
}
