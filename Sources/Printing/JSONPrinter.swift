package import SearchModel
internal import TextFormats

/// Prints one JSON object: `posts`, then `outcomes`, `incomplete` and, where the run had filters,
/// `excluded`. Posts and outcomes are those of `ndjson`, each on a line of its own.
package struct JSONPrinter: PostPrinter {
  private let fields: FieldSelection

  package init(fields: FieldSelection = .all) { self.fields = fields }

  package func beginning(of result: RunResult) -> [UInt8] { Array(#"{"posts":["#.utf8) }

  package func bytes(of posts: ArraySlice<Post>, after previous: Post?) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(posts.count * 700)
    for index in posts.indices {
      bytes.append(index > posts.startIndex || previous != nil ? ",\n" : "\n")
      var json = JSONWriter(capacity: 700)
      json.post(posts[index], fields)
      bytes.append(contentsOf: json.bytes)
    }
    return bytes
  }

  package func ending(of result: RunResult) -> [UInt8] {
    // The members of an object that `beginning` has opened.
    var json = JSONWriter(capacity: 64 + result.outcomes.count * 120)
    json.beginObject()
    json.closingMembers(of: result)
    json.endObject()
    json.newline()
    let separator = result.posts.isEmpty ? "]," : "\n],"
    return Array(separator.utf8) + json.bytes.dropFirst()
  }
}
