internal import FoundationEssentials
internal import Printing
internal import SearchEngine
internal import SearchModel
internal import SearchSources
internal import TextFormats

/// What a run would ask, without asking: each search of the plan with its first request.
struct DryRun {
  /// A search of the plan, or why it is none.
  private enum Entry {
    case asked(SearchOutcome, login: RequestPreview?, first: RequestPreview, cost: String?)
    case skipped(SearchOutcome)
  }

  private let entries: [Entry]

  init(_ plan: [PlannedSearch], within limits: RunLimits, now: Date) {
    let pages = SearchEngine.firstPages(of: plan, limits: limits, now: now)
    entries = zip(plan, pages).compactMap { planned, page in
      switch (planned, page) {
      case (.skip(let outcome), _): .skipped(outcome)
      case (.ask(let search), let page?): Self.entry(search, page)
      case (.ask, nil): nil
      }
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

  /// The plan for people: the requests of each search behind its heading.
  var text: String {
    entries.map { entry in
      switch entry {
      case .skipped(let outcome): heading(outcome, SummaryLines.words(for: outcome)) + "\n"
      case .asked(let outcome, let login, let first, let cost):
        ([heading(outcome, cost)] + (login.map { $0.lines + [""] } ?? []) + first.lines)
          .joined(separator: "\n") + "\n"
      }
    }.joined(separator: "\n")
  }

  /// The plan for programs: an object a line.
  var lines: [UInt8] {
    entries.flatMap { entry in json(of: entry).bytes + [UInt8(ascii: "\n")] }
  }

  /// `# SOURCE (SERVER): TAG`, and what else is to be said.
  private func heading(_ outcome: SearchOutcome, _ note: String?) -> String {
    let server = outcome.server.map { " (\($0))" } ?? ""
    let parts = ["# \(outcome.source)\(server)", outcome.tag] + [note].compactMap(\.self)
    return ControlCodes.strippedToLine(parts.joined(separator: ": "))
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
