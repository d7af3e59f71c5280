internal import FoundationEssentials
internal import SearchModel
internal import TextFormats

/// Searches of one server that ended alike, told on one line.
struct OutcomeGroup {
  /// What must be the same: of texts the pattern alone, as a server may put an identifier of the request
  /// into each answer. The moment and the number of broken items may differ.
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
  /// How the first of them ended.
  private let details: OutcomeDetails
  private let notes: NoteTally
  private var tags: [String]
  private var until: Date?
  private var brokenItems: Int
  /// Whether what happened is not the same to the letter.
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

  /// Takes in another that has the same key: the later moment, the sum of broken items.
  mutating func join(_ other: OutcomeGroup) {
    tags += other.tags
    brokenItems += other.brokenItems
    until = [until, other.until].compactMap(\.self).max()
    isMixed = isMixed || other.isMixed || details.message != other.details.message
  }

  /// Takes in a further outcome that is the same as the first one but for its query; returns whether
  /// it is.
  // Thousands that end together end alike: to compare them is cheaper than to take each apart.
  mutating func joinIfEqual(_ outcome: SearchOutcome) -> Bool {
    guard outcome.ending == first.ending, outcome.source == first.source,
      outcome.server == first.server
    else { return false }
    tags.append(outcome.tag)
    brokenItems += details.brokenItems
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
    var message = details.message
    if let status = details.status, message.map({ !$0.contains("\(status)") }) ?? true {
      message = message.map { "\($0) (\(status))" } ?? "answered \(status)"
    }
    if isMixed { message? += " (the details differ)" }
    return [state, message].compactMap(\.self) + notes.lines + [details.advice].compactMap(\.self)
  }

  /// The words for the outcome; nil for a failure, whose message says enough.
  private var state: String? {
    switch key.name {
    case .completed: "completed"
    case .skipped: "skipped"
    case .partial:
      switch brokenItems {
      case 0: "incomplete"
      case 1: "incomplete: 1 item could not be read"
      case _: "incomplete: \(brokenItems) items could not be read"
      }
    case .rateLimited: until.flatMap(moment).map { "rate limited until \($0)" } ?? "rate limited"
    case .failed: until.flatMap(moment).map { "unavailable until \($0)" }
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
