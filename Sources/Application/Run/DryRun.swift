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
  private static let partsInPiece = 16
  private static let searchesInPart = 512

  private let plan: [PlannedSearch]
  private let limits: RunLimits
  private let now: Date

  init(plan: [PlannedSearch], limits: RunLimits, now: Date) {
    (self.plan, self.limits, self.now) = (plan, limits, now)
  }

  /// The forms of a plan.
  enum Form: Sendable {
    /// For people: the requests of each search below its heading.
    case text
    /// An object for each search, one per line.
    case lines
    /// The same objects in one array.
    case array

    init(_ format: OutputFormat) {
      self =
        switch format {
        case .json: .array
        case .ndjson: .lines
        default: .text
        }
    }
  }

  /// Writes the plan.
  func write(as form: Form, to output: any OutputStreaming) throws(OutputFailure) {
    if form == .array { try output.write([UInt8(ascii: "[")]) }
    try writeSearches(as: form, to: output)
    if form == .array { try output.write(Array("\n]\n".utf8)) }
  }

  private func writeSearches(
    as form: Form, to output: any OutputStreaming
  ) throws(OutputFailure) {
    // Each piece is made on all cores while the one before it is being written.
    var upcoming = piece(at: 0, as: form)
    var hasBegun = false
    for first in stride(from: 0, to: plan.count, by: Self.partsInPiece * Self.searchesInPart) {
      let parts = upcoming.value
      upcoming = piece(
        at: first + Self.partsInPiece * Self.searchesInPart, as: form)
      for bytes in parts where !bytes.isEmpty {
        // Each text begins with a blank line, and each element of an array with a comma.
        try output.write(hasBegun || form == .lines ? bytes : Array(bytes.dropFirst()))
        hasBegun = true
      }
    }
  }

  /// The bytes of the searches from one on, part by part.
  private func piece(at first: Int, as form: Form) -> Coming<[[UInt8]]> {
    Coming {
      let end = min(first + Self.partsInPiece * Self.searchesInPart, plan.count)
      return Array(stride(from: first, to: end, by: Self.searchesInPart))
        .mapOnAllCores(partsOf: 1) { start in
          part(plan[start..<min(start + Self.searchesInPart, end)], as: form)
        }
    }
  }

  /// The bytes of consecutive searches.
  private func part(_ searches: ArraySlice<PlannedSearch>, as form: Form) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(searches.count * 256)
    var sites: [ObjectIdentifier: PlannedSite] = [:]
    for planned in searches {
      switch planned {
      case .skip(let outcome): append(skipped: outcome, as: form, to: &bytes)
      case .ask(let search):
        let key = ObjectIdentifier(search.endpoint)
        let known = sites[key]
        let site = known ?? PlannedSite(search.endpoint)
        if known == nil { sites[key] = site }
        append(search, on: site, as: form, to: &bytes)
      case .stored: break
      }
    }
    return bytes
  }

  private func append(
    _ search: Search, on site: PlannedSite, as form: Form, to bytes: inout [UInt8]
  ) {
    var page = SearchEngine.firstPage(of: search, limits: limits, now: now)
    site.mask.cover(&page)
    let cost = SearchPreview.cost(of: page, by: site.endpoint.traits)
    do throws(Failure) {
      let first = RequestPreview(
        try search.source.request(for: page),
        hidesParameters: site.endpoint.traits.takesWholeAddress)
      if form == .text {
        append(first, of: search, on: site, cost: cost, to: &bytes)
      } else {
        append(
          json(of: search, login: site.mask.login, first: first, cost: cost), as: form, to: &bytes)
      }
    } catch {
      append(skipped: search.outcome(.failed(error)), as: form, to: &bytes)
    }
  }

  /// Appends a blank line, then `# SOURCE (SERVER): TAG` with the cost, and the requests.
  private func append(
    _ first: RequestPreview, of search: Search, on site: PlannedSite, cost: String?,
    to bytes: inout [UInt8]
  ) {
    bytes += site.heading
    ControlCodes.append(search.query.text, isSingleLine: true, to: &bytes)
    if let cost { ControlCodes.append(": \(cost)", isSingleLine: true, to: &bytes) }
    bytes.append(UInt8(ascii: "\n"))
    bytes += site.login
    first.append(to: &bytes)
  }

  private func append(
    skipped outcome: SearchOutcome, as form: Form, to bytes: inout [UInt8]
  ) {
    guard form == .text else { return append(json(of: outcome), as: form, to: &bytes) }
    let server = outcome.server.map { " (\($0))" } ?? ""
    let note = ": \(SummaryLines.words(for: outcome))"
    bytes.append(UInt8(ascii: "\n"))
    RequestPreview.append(
      "# ", outcome.source.rawValue, server, ": ", outcome.tag, note, to: &bytes)
  }

  private func append(_ object: JSONValue, as form: Form, to bytes: inout [UInt8]) {
    if form == .array { bytes += ",\n".utf8 }
    bytes += object.bytes
    if form == .lines { bytes.append(UInt8(ascii: "\n")) }
  }

  private func json(of outcome: SearchOutcome) -> JSONValue {
    let details = OutcomeDetails(outcome.ending)
    return .members([
      "tag": .string(outcome.tag), "source": .string(outcome.source.rawValue),
      "server": (outcome.server?.text).map(JSONValue.string),
      "outcome": .string(details.name.rawValue),
      "message": details.message.map(JSONValue.string),
      "advice": details.advice.map(JSONValue.string),
    ])
  }

  private func json(
    of search: Search, login: RequestPreview?, first: RequestPreview, cost: String?
  ) -> JSONValue {
    .members([
      "tag": .string(search.query.text), "source": .string(search.source.name.rawValue),
      "server": .string(search.server.text), "login": login?.json,
      "request": first.json, "cost": cost.map(JSONValue.string),
    ])
  }
}

/// The parts that the first requests of all searches on one endpoint share.
private final class PlannedSite {
  let endpoint: Endpoint
  let mask: CredentialMask
  /// A blank line, and `# SOURCE (SERVER): `.
  let heading: [UInt8]
  /// The request that opens a session, with a blank line below it; empty if there is none.
  let login: [UInt8]

  init(_ endpoint: Endpoint) {
    self.endpoint = endpoint
    mask = CredentialMask(endpoint.credentials, of: endpoint.source, on: endpoint.server)
    var heading = [UInt8(ascii: "\n")]
    ControlCodes.append(
      "# \(endpoint.source.name.rawValue) (\(endpoint.server)): ", isSingleLine: true, to: &heading)
    self.heading = heading
    var login: [UInt8] = []
    if let preview = mask.login {
      preview.append(to: &login)
      login.append(UInt8(ascii: "\n"))
    }
    self.login = login
  }
}
