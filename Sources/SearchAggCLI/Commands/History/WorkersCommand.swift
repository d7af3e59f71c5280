internal import Application
internal import ArgumentParser
internal import FoundationEssentials
internal import PostHistory
internal import SearchModel
internal import SharedHistory
internal import TextFormats

/// `searchagg workers`: the watches that share a state.
struct WorkersCommand: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "workers",
    abstract: "Show which machines watch what in a shared state, and what is late or failing.",
    discussion: """
      EXAMPLES:
        searchagg workers --state postgresql://db.example/searchagg
        searchagg workers --format json

      WORKER is the worker that is asking the server now. LATE counts the searches that have been due \
      for a minute or longer, FAILING those that failed the last time. See `searchagg help state`.
      """)

  @Option(help: "Print tables or JSON.")
  var format = ReportFormat.text

  @OptionGroup var options: SettingOptions<StateFileOption>

  func run(in context: Context) async throws -> CommandStatus {
    let address = try options.sharedAddress(in: context, with: "workers")
    let overview = try WorkOverview(of: SharedHistory(at: address))
    switch format {
    case .json: try context.output.write(overview.object.visibleFileBytes)
    case .text:
      if overview.workers.isEmpty { context.report("no worker is watching") }
      let columns = context.outputScreen?.columns
      let tables = [overview.workerTable, overview.laneTable].map { $0.text(columns: columns) }
      try context.write(tables.filter { !$0.isEmpty }.joined(separator: "\n"))
    }
    return .success
  }
}

extension WorkOverview {
  fileprivate var workerTable: TextTable {
    TextTable(rows: workers.map(\.cells), below: ["WORKER", "SINCE", "SEEN", "ASKING"])
  }

  fileprivate var laneTable: TextTable {
    TextTable(
      rows: lanes.map(\.cells),
      below: [
        "SERVER", "SEARCHES", "DUE", "LATE", "FAILING", "WORKER", "PAUSED UNTIL", "FAILURE",
      ])
  }

  fileprivate var object: JSONValue {
    .members([
      "workers": .array(workers.map(\.object)), "servers": .array(lanes.map(\.object)),
    ])
  }
}

extension TextTable {
  /// No table at all where there are no rows.
  fileprivate init(rows: [[String]], below headings: [String]) {
    guard !rows.isEmpty else {
      self.init(columns: [])
      return
    }
    let all: [[String]] = [headings] + rows
    self.init(columns: headings.indices.map { column in all.map { $0[column] } })
  }
}

extension WorkOverview.Worker {
  fileprivate var cells: [String] {
    let asking = isAlive ? Plural.count(lanes, "server") : "does not answer"
    return [name, RFC3339.formatSeconds(began), RFC3339.formatSeconds(seen), asking]
  }

  fileprivate var object: JSONValue {
    .members([
      "name": .string(name), "since": .string(RFC3339.formatSeconds(began)),
      "seen": .string(RFC3339.formatSeconds(seen)), "answers": .bool(isAlive),
      "asking": .integer(lanes),
    ])
  }
}

extension WorkOverview.Lane {
  private var pause: String? { closedUntil.map { RFC3339.formatSeconds($0) } }

  fileprivate var cells: [String] {
    let counts: [String] = [searches, dueCount, lateCount, failingCount].map { String($0) }
    return [name] + counts + [worker ?? "", pause ?? "", failure ?? ""]
  }

  fileprivate var object: JSONValue {
    let moment = JSONValue.string(RFC3339.formatSeconds(due))
    return .members([
      "server": .string(name), "searches": .integer(searches), "due": .integer(dueCount),
      "late": .integer(lateCount), "failing": .integer(failingCount),
      "failure": failure.map { .string($0) }, "worker": worker.map { .string($0) },
      "next": worker == nil ? moment : nil, "leased_until": worker == nil ? nil : moment,
      "paused_until": pause.map { .string($0) },
    ])
  }
}
