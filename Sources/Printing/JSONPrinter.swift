package import SearchModel
internal import TextFormats

/// Prints one JSON object: `posts`, then `outcomes`, `incomplete` and, where the run had filters,
/// `excluded`. Posts and outcomes are those of `ndjson`, each on a line of its own.
package struct JSONPrinter: PostPrinter {
  private let contents: RecordContents

  package init(_ contents: RecordContents = RecordContents()) { self.contents = contents }

  package func beginning(of result: RunResult) -> [UInt8] { Array(#"{"posts":["#.utf8) }

  package func bytes(of posts: ArraySlice<Post>, after previous: Post?) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(posts.count * 700)
    var isFirst = previous == nil
    posts.readEach(askingAhead: true) { post in
      bytes.append(isFirst ? "\n" : ",\n")
      isFirst = false
      var json = JSONWriter(capacity: 700)
      json.post(post, contents.fields)
      bytes.append(contentsOf: json.bytes)
    }
    return bytes
  }

  package func ending(of result: RunResult) -> [UInt8] {
    let end = result.posts.isEmpty ? "]" : "\n]"
    guard !contents.isPostsOnly else { return Array("\(end)}\n".utf8) }
    // The members of an object that `beginning` has opened.
    var json = JSONWriter(capacity: 64 + result.outcomes.count * 120)
    json.beginObject()
    json.closingMembers(of: result)
    json.endObject()
    json.newline()
    return Array("\(end),".utf8) + json.bytes.dropFirst()
  }
}
