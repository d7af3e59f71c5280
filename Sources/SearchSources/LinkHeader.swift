internal import QueuedHTTP

/// The `Link` header of an answer (RFC 8288).
enum LinkHeader {
  /// Whether it says that there is a next page.
  static func hasNext(in headers: HTTPHeaders) -> Bool {
    headers.values(of: "Link").contains { header in
      header.split(separator: "<").contains { part in
        guard let end = part.firstIndex(of: ">") else { return false }
        return part[end...].split { $0 == ";" || $0 == "," }.contains { parameter in
          parameter.filter { !$0.isWhitespace && $0 != "\"" }.lowercased() == "rel=next"
        }
      }
    }
  }
}
