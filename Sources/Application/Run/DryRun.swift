internal import FoundationEssentials
internal import Printing
internal import SearchEngine
internal import SearchModel
internal import SearchSources
internal import TextFormats

/// The plan of a run: each search with its first request, which is not sent.
///
/// A plan may hold millions of searches: it is written piece by piece, so that only one piece of its
/// requests is in memory at a time.
struct DryRun {
  /// A search of the plan, or the reason why it is skipped.
  private enum Entry {
    case asked(SearchOutcome, login: RequestPreview?, first: RequestPreview, cost: String?)
    case skipped(SearchOutcome)
  }

  private static let pieceSearches = 4096
  private static let partSearches = 256

  private let plan: [PlannedSearch]
  private let limits: RunLimits
  private let now: Date

  init(plan: [PlannedSearch], limits: RunLimits, now: Date) {
    (self.plan, self.limits, self.now) = (plan, limits, now)
  }

  /// Writes the plan for people, with the requests of each search below its heading; or for programs,
  /// one object per line.
  func write(
    asText isText: Bool, to output: any OutputStreaming
  ) throws(OutputFailure) {
    // Each piece is made on all cores while the one before it is being written.
    var upcoming = piece(at: 0, asText: isText)
    var hasBegun = false
    for first in stride(from: 0, to: plan.count, by: Self.pieceSearches) {
      var bytes: [UInt8] = []
      for entry in upcoming.value { bytes += entry }
      upcoming = piece(at: first + Self.pieceSearches, asText: isText)
      guard !bytes.isEmpty else { continue }
      // Each text begins with a blank line.
      try output.write(hasBegun || !isText ? bytes : Array(bytes.dropFirst()))
      hasBegun = true
    }
  }

  /// The bytes of each of the searches from one on.
  private func piece(at first: Int, asText isText: Bool) -> Coming<[[UInt8]]> {
    let searches = plan.dropFirst(first).prefix(Self.pieceSearches)
    return Coming {
      // Searches share what a run may cost.
      let pages = SearchEngine.firstPages(of: Array(searches), limits: limits, now: now)
      return Array(zip(searches, pages)).mapOnAllCores(partsOf: Self.partSearches) {
        guard let entry = entry($0, $1) else { return [] }
        return isText ? text(of: entry) : json(of: entry).bytes + [0x0A]
      }
    }
  }

  private func entry(_ planned: PlannedSearch, _ page: PageRequest?) -> Entry? {
    switch (planned, page) {
    case (.skip(let outcome), _): .skipped(outcome)
    case (.ask(let search), let page?): Self.entry(search, page)
    case (.ask, nil), (.stored, _): nil
    }
  }

  private static func entry(_ search: Search, _ page: PageRequest) -> Entry {
    let preview = SearchPreview(page, of: search.source)
    do throws(Failure) {
      return .asked(
        search.outcome(.completed()), login: preview.login, first: try preview.first(),
        cost: preview.cost)
    } catch {
      return .skipped(search.outcome(.failed(error)))
    }
  }

  /// A blank line, then `# SOURCE (SERVER): TAG` with a note, and the requests.
  private func text(of entry: Entry) -> [UInt8] {
    var bytes = [UInt8(ascii: "\n")]
    switch entry {
    case .skipped(let outcome):
      appendHeading(outcome, SummaryLines.words(for: outcome), to: &bytes)
    case .asked(let outcome, let login, let first, let cost):
      appendHeading(outcome, cost, to: &bytes)
      if let login {
        login.append(to: &bytes)
        bytes.append(UInt8(ascii: "\n"))
      }
      first.append(to: &bytes)
    }
    return bytes
  }

  private func appendHeading(_ outcome: SearchOutcome, _ note: String?, to bytes: inout [UInt8]) {
    let server = outcome.server.map { " (\($0))" } ?? ""
    let note = note.map { ": \($0)" } ?? ""
    RequestPreview.append(
      "# ", outcome.source.rawValue, server, ": ", outcome.tag, note, to: &bytes)
  }

  private func json(of entry: Entry) -> JSONValue {
    switch entry {
    case .skipped(let outcome):
      let details = OutcomeDetails(outcome.ending)
      return .members([
        "tag": .string(outcome.tag), "source": .string(outcome.source.rawValue),
        "server": (outcome.server?.text).map(JSONValue.string),
        "outcome": .string(details.name.rawValue),
        "message": details.message.map(JSONValue.string),
        "advice": details.advice.map(JSONValue.string),
      ])
    case .asked(let outcome, let login, let first, let cost):
      return .members([
        "tag": .string(outcome.tag), "source": .string(outcome.source.rawValue),
        "server": (outcome.server?.text).map(JSONValue.string), "login": login?.json,
        "request": first.json, "cost": cost.map(JSONValue.string),
      ])
    }
  }
}
