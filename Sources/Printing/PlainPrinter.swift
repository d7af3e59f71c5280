package import SearchModel
internal import TextFormats

/// Prints a line for each post, its parts separated by TABs: date, network, author, tags, title, text
/// and address.
///
/// `\`, TAB, CR and LF in them are escaped as in `tsv`. A line for each search that was not completed
/// follows: its outcome in place of the date, then network, server, tag and message.
package struct PlainPrinter: PostPrinter {
  package init() {}

  package func bytes(of posts: ArraySlice<Post>, after previous: Post?) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(posts.count * 500)
    for index in posts.indices {
      let post = posts[index]
      if post.createdAt.map({ RFC3339.append($0, to: &bytes) }) != true { bytes.append("undated") }
      let author = post.author.shownHandle ?? post.author.name ?? ""
      append(
        [
          post.source.rawValue, author, post.tags.joined(separator: ", "), post.title ?? "",
          PostWords.withPoll(post.text, of: post), post.url ?? "",
        ], to: &bytes)
    }
    return bytes
  }

  package func ending(of result: RunResult) -> [UInt8] {
    var bytes: [UInt8] = []
    for outcome in result.missing {
      bytes.append(OutcomeDetails(outcome.ending).name.rawValue)
      append(
        [
          outcome.source.rawValue, outcome.server?.text ?? "", outcome.tag,
          SummaryLines.words(for: outcome),
        ], to: &bytes)
    }
    return bytes
  }

  /// Appends the rest of a line.
  private func append(_ parts: [String], to bytes: inout [UInt8]) {
    for part in parts {
      bytes.append(0x09)
      CellText.append(escaping: CellText.visible(part), to: &bytes)
    }
    bytes.append(0x0A)
  }
}
