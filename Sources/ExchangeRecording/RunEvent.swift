internal import TextFormats

/// An event that depended on the time which a run took, not on its responses.
package enum RunEvent: String, CaseIterable, Sendable {
  /// The run no longer waited for slow searches.
  case patienceLost = "patience lost"
  /// Its longest time had passed.
  case timeUp = "time up"

  static func json(_ events: [RunEvent]) -> JSONValue {
    .array(events.map { .string($0.rawValue) })
  }

  static func list(_ entry: JSONEntry) throws(DocumentError) -> [RunEvent] {
    try entry.elements(expected: "a list of events").map { element throws(DocumentError) in
      try element.choice()
    }
  }
}
