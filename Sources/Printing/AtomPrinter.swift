internal import FoundationEssentials
package import SearchModel
internal import TextFormats

/// Prints the posts as an Atom feed (RFC 4287); outcomes and what Atom has no place for are extension
/// elements.
package struct AtomPrinter: PostPrinter {
  package init() {}

  package func beginning(of result: RunResult) -> [UInt8] {
    let identity = FeedIdentity(result)
    var xml = XMLText()
    xml.bytes.append(
      """
      <?xml version="1.0" encoding="utf-8"?>
      <feed xmlns="http://www.w3.org/2005/Atom" \
      xmlns:searchagg="https://github.com/searchagg/searchagg">

      """)
    xml.element("id", identity.feed)
    xml.element("title", identity.title)
    if let missing = result.missingLine { xml.element("subtitle", missing) }
    xml.element(
      "updated", RFC3339.canWrite(identity.updated) ? RFC3339.format(identity.updated) : "")
    xml.element("generator", "searchagg")
    xml.element("searchagg:incomplete", result.isIncomplete ? "true" : "false")
    for outcome in result.outcomes {
      let name = OutcomeDetails(outcome.ending).name
      xml.element(
        "searchagg:outcome",
        [
          "tag": outcome.tag, "source": outcome.source.rawValue, "server": outcome.server?.text,
          "outcome": name.rawValue,
        ],
        name == .completed ? "" : SummaryLines.words(for: outcome))
    }
    return xml.bytes
  }

  package func bytes(of posts: ArraySlice<Post>, after previous: Post?) -> [UInt8] {
    var xml = XMLText()
    xml.bytes.reserveCapacity(posts.count * 1000)
    for index in posts.indices { append(posts[index], to: &xml) }
    return xml.bytes
  }

  package func ending(of result: RunResult) -> [UInt8] { Array("</feed>\n".utf8) }

  private func append(_ post: borrowing Post, to xml: inout XMLText) {
    let author = post.author
    let created = post.createdAt.flatMap { RFC3339.canWrite($0) ? RFC3339.format($0) : nil }
    let edited = post.editedAt.flatMap { RFC3339.canWrite($0) ? RFC3339.format($0) : nil }
    xml.bytes.append("<entry>\n")
    xml.element("id", FeedIdentity.entry(of: post))
    xml.element("title", FeedIdentity.title(of: post))
    // Every entry must have a date of update; without `published` it is not a date of the post.
    xml.element("updated", edited ?? created ?? "1970-01-01T00:00:00.000Z")
    if let created { xml.element("published", created) }
    if let url = post.url, Markup.isSafeAddress(url) {
      xml.element("link", ["rel": "alternate", "href": url])
    }
    for attachment in post.attachments where Markup.isSafeAddress(attachment.url) {
      xml.element(
        "link",
        [
          "rel": "enclosure", "href": attachment.url, "type": attachment.type,
          "title": attachment.description,
        ])
    }
    xml.bytes.append("<author>\n")
    xml.element("name", author.name ?? (author.handle.isEmpty ? "unknown" : author.handle))
    if let url = author.url, Markup.isSafeAddress(url) { xml.element("uri", url) }
    xml.bytes.append("</author>\n")
    for tag in post.tagsAndTopics { xml.element("category", ["term": tag]) }
    xml.element("content", ["type": "text"], post.text)
    post.readValues { post in
      for (name, field) in Self.extensions {
        switch field.value(in: post) {
        case .string(let text): xml.element(name, text)
        case .integer(let number): xml.element(name, "\(number)")
        case .boolean(let value): xml.element(name, value ? "true" : "false")
        case .date(let date): xml.element(name, RFC3339.format(date))
        case .list(let texts): for text in texts { xml.element(name, text) }
        case nil: break
        }
      }
    }
    xml.bytes.append("</entry>\n")
  }

  /// The fields that Atom has no element for, with the names of their extension elements.
  private static let extensions: [(name: String, field: PostField)] = {
    let first: [PostField] = [.source, .server, .id]
    let known: Set<PostField> = [
      .url, .authorName, .authorURL, .title, .text, .createdAt, .editedAt, .tags, .attachments,
      .reposterName, .reposterURL,
    ]
    let others = PostField.printed.filter { !first.contains($0) && !known.contains($0) }
    return (first + others).map { ("searchagg:\($0.description.column)", $0) }
  }()
}

/// XML under construction, an element on each line.
private struct XMLText {
  var bytes: [UInt8] = []

  mutating func element(_ name: String, _ text: String) { element(name, [:], text) }

  /// Appends an element; attributes that are nil are left out, and so is an empty text.
  mutating func element(
    _ name: String, _ attributes: KeyValuePairs<String, String?>, _ text: String = ""
  ) {
    bytes.append("<\(name)")
    for (name, value) in attributes {
      guard let value else { continue }
      bytes.append(" \(name)=\"")
      Markup.append(value, to: &bytes)
      bytes.append("\"")
    }
    guard !text.isEmpty else {
      bytes.append("/>\n")
      return
    }
    bytes.append(">")
    Markup.append(text, to: &bytes)
    bytes.append("</\(name)>\n")
  }
}
