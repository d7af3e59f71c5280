internal import QueuedHTTP

/// The `Link` header of an answer (RFC 8288).
enum LinkHeader {
  /// Whether it says that there is a next page.
  static func hasNext(in headers: HTTPHeaders) -> Bool { next(in: headers) != nil }

  /// The address of the next page, as it was written; nil when there is none.
  static func next(in headers: HTTPHeaders) -> String? {
    for header in headers.values(of: "Link") {
      for part in header.split(separator: "<") {
        guard let end = part.firstIndex(of: ">") else { continue }
        if isNext(part[part.index(after: end)...]) { return String(part[..<end]) }
      }
    }
    return nil
  }

  private static func isNext(_ parameters: Substring) -> Bool {
    parameters.split { $0 == ";" || $0 == "," }.contains { parameter in
      let bare = parameter.lowercased().filter { $0 != "\"" }
      let parts = bare.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, parts[0].filter({ !$0.isWhitespace }) == "rel" else { return false }
      return parts[1].split(whereSeparator: \.isWhitespace).contains("next")
    }
  }
}
