package import SearchModel
internal import TextFormats

/// Prints one post a line as JSON, and the outcomes on the last line.
///
/// Keys, their order and their types are a contract (`searchagg help formats`): what is absent is
/// left out, but `created_at` is null. Nothing in it depends on timing.
package struct NDJSONPrinter: PostPrinter {
  private let excluded: FilterTally

  /// - Parameter excluded: What the run's filters left out; it is told where there were filters.
  package init(excluded: FilterTally = FilterTally()) { self.excluded = excluded }

  package func bytes(of posts: ArraySlice<Post>, isFirst: Bool) -> [UInt8] {
    var json = JSONWriter(capacity: posts.count * 700)
    for index in posts.indices {
      json.post(posts[index])
      json.newline()
    }
    return json.bytes
  }

  package func ending(outcomes: [SearchOutcome], isIncomplete: Bool) -> [UInt8] {
    var json = JSONWriter(capacity: 64 + outcomes.count * 120)
    json.beginObject()
    json.key("outcomes")
    json.beginArray()
    for outcome in outcomes { json.outcome(outcome) }
    json.endArray()
    json.key("incomplete")
    json.bool(isIncomplete)
    if !excluded.isEmpty {
      json.key("excluded")
      json.beginObject()
      for (reason, count) in excluded.all { json.member(reason.rawValue, count) }
      json.endObject()
    }
    json.endObject()
    json.newline()
    return json.bytes
  }
}
