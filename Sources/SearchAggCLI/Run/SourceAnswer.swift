internal import Printing
internal import SearchModel
internal import TextFormats

/// What a source answered when it was checked.
struct SourceAnswer: Sendable {
  var outcome: SearchOutcome
  /// How many posts came.
  var posts = 0
  /// How long it took, with a login and further attempts; nil when it was not asked.
  var took: Duration?

  var json: JSONValue {
    let details = OutcomeDetails(outcome.ending)
    return .members([
      "source": .string(outcome.source.rawValue),
      "server": (outcome.server?.text).map(JSONValue.string),
      "outcome": .string(details.name.rawValue), "posts": .integer(posts),
      "took_ms": took.map { .integer(Int($0 / .milliseconds(1))) },
      "status": details.status.map { .integer($0) },
      "message": details.message.map(JSONValue.string),
      "advice": details.advice.map(JSONValue.string),
      "until": details.until.map { .string(RFC3339.format($0)) },
    ])
  }
}
