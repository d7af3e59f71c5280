package import SearchModel
internal import TextFormats

/// Prints one post a line as JSON, and the outcomes on the last line.
///
/// Keys, their order and their types are a contract (`searchagg help formats`): what is absent is
/// left out, but `created_at` is null. Nothing in it depends on timing.
package struct NDJSONPrinter: PostPrinter {
  package init() {}

  package func write<Fault: Error>(
    _ posts: [Post], outcomes: [SearchOutcome], isIncomplete: Bool,
    to output: ([UInt8]) throws(Fault) -> Void
  ) throws(Fault) {
    var json = JSONWriter()
    for post in posts {
      json.post(post)
      json.newline()
      if json.bytes.count >= Self.pieceBytes {
        try output(json.bytes)
        json.removeAll()
      }
    }
    json.beginObject()
    json.key("outcomes")
    json.beginArray()
    for outcome in outcomes { json.outcome(outcome) }
    json.endArray()
    json.key("incomplete")
    json.bool(isIncomplete)
    json.endObject()
    json.newline()
    try output(json.bytes)
  }
}
