package import SearchModel
internal import TextFormats

/// Prints each post as a line of JSON, and the outcomes as the last line.
///
/// Keys, their order and their types are a contract (`searchagg help formats`): absent values are left
/// out, except that `created_at` is null. Nothing depends on timing.
package struct NDJSONPrinter: PostPrinter {
  private let contents: RecordContents

  package init(_ contents: RecordContents = RecordContents()) { self.contents = contents }

  package func bytes(of posts: ArraySlice<Post>, after previous: Post?) -> [UInt8] {
    var json = JSONWriter(capacity: posts.count * 700)
    posts.readEach(askingAhead: true) { post in
      json.post(post, contents.fields)
      json.newline()
    }
    return json.bytes
  }

  package func ending(of result: RunResult) -> [UInt8] {
    guard !contents.isPostsOnly else { return [] }
    var json = JSONWriter(capacity: 64 + result.outcomes.count * 120)
    json.beginObject()
    json.closingMembers(of: result)
    json.endObject()
    json.newline()
    return json.bytes
  }
}
