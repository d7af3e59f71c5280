internal import Printing

/// The pages of `searchagg help` that belong to no command, in the form that `HelpPage` reads.
enum HelpTopic: String, CaseIterable, Sendable {
  case exitCodes = "exit-codes"
  case environment
  case config
  case formats
  case schema
  case dates
  case queries
  case notifications
  case shards
  case state
  case jsonSources = "json-sources"
  case recipes

  /// The subject of the page, for the list of pages.
  var summary: String {
    switch self {
    case .exitCodes: "the exit statuses and their meaning"
    case .environment: "variables, addresses and credentials"
    case .config: "configuration files and their settings"
    case .formats: "output formats and their fields"
    case .schema: "the JSON Schema of json and ndjson"
    case .dates: "how to write dates and lengths of time"
    case .queries: "how to write queries and filters"
    case .notifications: "how to follow tags, and pass new posts on"
    case .shards: "how to divide a run among several machines"
    case .state: "one state for several machines, in PostgreSQL"
    case .jsonSources: "a source of your own, declared in the configuration file"
    case .recipes: "commands for common tasks"
    }
  }

  var text: String {
    switch self {
    case .exitCodes: Self.exitCodesText
    case .environment: Self.environmentText
    case .config: Self.configText
    case .formats: Self.formatsText
    case .schema: PostSchema.text
    case .dates: Self.datesText
    case .queries: Self.queriesText
    case .notifications: Self.notificationsText
    case .shards: Self.shardsText
    case .state: Self.stateText
    case .jsonSources: Self.jsonSourcesText
    case .recipes: Self.recipesText
    }
  }

  static func table(_ rows: [(label: String, text: String)], columns: Int) -> String {
    rows.map { label, text in
      let gap = max(columns - label.count - 2, 3)
      return "  \(label)\(String(repeating: " ", count: gap))\(text)"
    }.joined(separator: "\n")
  }
}
