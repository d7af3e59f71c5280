package import SearchModel

/// The formats that `--format` takes; the raw value is the name there.
package enum OutputFormat: String, CaseIterable, Hashable, Sendable {
  /// For people.
  case text
  /// For programs: one JSON value a line.
  case ndjson

  /// The printer of this format; the style matters to text only, and what filters left out to formats
  /// with a place for it.
  package func printer(
    style: TextStyle, excluded: FilterTally = FilterTally()
  ) -> any PostPrinter {
    switch self {
    case .text: TextPrinter(style: style)
    case .ndjson: NDJSONPrinter(excluded: excluded)
    }
  }
}
