internal import QueuedHTTP
internal import TextFormats

/// What the body of an error says, in any of the forms that the networks use.
struct ErrorBody {
  /// The name of the error: Bluesky's `error`, X's `title`.
  private(set) var name: String?
  /// The kind of an RFC 9457 problem: the last part of its `type`'s path, as the rest differs.
  private(set) var problem: String?
  /// X's `reason`.
  private(set) var reason: String?
  /// All that it says, for people; nil when it says nothing.
  private(set) var words: String?
  /// Whether it is JSON at all, and not a proxy's page.
  private(set) var isJSON = false

  init(_ response: HTTPResponse) {
    // Errors are small; what is not is none.
    guard response.body.count > 0, response.body.count <= 1 << 20 else { return }
    do {
      self = try response.body.withUnsafeBytes { bytes in
        try JSON.read(padded: bytes) { ErrorBody(JSON: $0) }
      }
    } catch {
      words = HTMLText.read(String(response.body.text.prefix(4096))).text
    }
    if words?.isEmpty == true { words = nil }
  }

  /// Reads an error that stands in an answer.
  init(JSON root: JSONNode) {
    isJSON = true
    problem = root["type"]?.string?.split(separator: "/").last.map(String.init)
    reason = root["reason"]?.string
    let error = root["error"]
    name =
      root["title"]?.string ?? error?.string ?? error?["code"]?.identifier
      ?? root["error_name"]?.string ?? root["error_type"]?.string
    let first = root.list("errors").first
    let sentence =
      first?["message"]?.string ?? root["detail"]?.string ?? root["message"]?.string
      ?? root["error_description"]?.string ?? error?["message"]?.string ?? first?["detail"]?.string
      ?? first?["title"]?.string ?? first?.string ?? root["error_message"]?.string
      ?? root["meta"]?["msg"]?.string
    var parts: [String] = []
    for part in [name, sentence, reason] {
      if let part, !part.isEmpty, !parts.contains(part) { parts.append(part) }
    }
    words = parts.isEmpty ? nil : parts.joined(separator: ": ")
  }
}
