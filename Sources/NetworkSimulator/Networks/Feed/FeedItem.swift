internal import TextFormats

/// An item of a JSON Feed, as the formats of XML write it; a malformed one stays malformed.
struct FeedItem {
  private let item: JSONValue

  init(_ item: JSONValue) { self.item = item }

  var rss: String {
    element("item", content) {
      element("title", $0["title"]) + element("link", $0["url"])
        + element("guid isPermaLink=\"false\"", $0["id"])
        + element("description", $0["content_html"])
        + element("dc:creator", author($0))
        + element("pubDate", mailDate($0["date_published"]))
        + tags($0).map { "<category><![CDATA[\($0)]]></category>\n" }.joined()
        + ($0["image"].flatMap(text).map {
          "<enclosure url=\"\(Markup.escaped($0))\" length=\"1\" type=\"image/png\"/>\n"
        } ?? "")
    }
  }

  var atom: String {
    element("entry", content) {
      element("title", $0["title"]) + element("id", $0["id"])
        // Relative to the feed's base.
        + ($0["url"].flatMap(text).map {
          "<link href=\"\(Markup.escaped($0.replacing("https://blog.example", with: "")))\"/>\n"
        } ?? "")
        + element("content type=\"html\"", $0["content_html"])
        + "<author>\(element("name", author($0)))</author>\n"
        + element("published", $0["date_published"])
        + element("updated", $0["date_modified"] ?? $0["date_published"])
        + tags($0).map { "<category term=\"\(Markup.escaped($0))\"/>\n" }.joined()
    }
  }

  var rdf: String {
    let about = content?["id"].flatMap(text).map { " rdf:about=\"\(Markup.escaped($0))\"" } ?? ""
    return element("item\(about)", content) {
      element("title", $0["title"]) + element("link", $0["url"])
        + ($0["content_html"].flatMap(text).map {
          "<content:encoded><![CDATA[\($0)]]></content:encoded>\n"
        } ?? "")
        + element("dc:creator", author($0)) + element("dc:date", $0["date_published"])
        + tags($0).map { "<dc:subject>\(Markup.escaped($0))</dc:subject>\n" }.joined()
    }
  }

  private var content: JSONValue? {
    if case .object = item { item } else { nil }
  }

  private func element(
    _ tag: String, _ content: JSONValue?, _ write: (JSONValue) -> String
  ) -> String {
    let name = tag.prefix { $0 != " " }
    return "<\(tag)>\(content.map { "\n\(write($0))" } ?? "17")</\(name)>"
  }

  /// Anything but text becomes an empty element.
  private func element(_ tag: String, _ value: JSONValue?) -> String {
    guard let value else { return "" }
    let name = tag.prefix { $0 != " " }
    return "<\(tag)>\(Markup.escaped(text(value) ?? ""))</\(name)>\n"
  }

  private func text(_ value: JSONValue) -> String? {
    if case .string(let text) = value { text } else { nil }
  }

  private func author(_ item: JSONValue) -> JSONValue? {
    guard case .array(let authors)? = item["authors"] else { return nil }
    return authors.first?["name"]
  }

  private func tags(_ item: JSONValue) -> [String] {
    guard case .array(let tags)? = item["tags"] else { return [] }
    return tags.compactMap(text)
  }

  /// A date in RSS format; an invalid date is left as it is.
  private func mailDate(_ value: JSONValue?) -> JSONValue? {
    guard let value, let date = text(value).flatMap({ DateReading.rfc3339($0) }) else {
      return value
    }
    return .string(DateForms.http(date))
  }
}
