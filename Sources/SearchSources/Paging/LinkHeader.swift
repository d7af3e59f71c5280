internal import QueuedHTTP

/// The links in the `Link` header of a response (RFC 8288).
struct LinkHeader {
  private let links: [(address: String, relations: [String])]

  init(in headers: HTTPHeaders) {
    links = headers.values(of: "Link").flatMap { header in
      header.split(separator: "<").compactMap { part in
        part.firstIndex(of: ">").map { end in
          (String(part[..<end]), Self.relations(in: part[part.index(after: end)...]))
        }
      }
    }
  }

  /// The address of the next page, as it was written; nil if there is none.
  var next: String? { links.first { $0.relations.contains("next") }?.address }

  /// True if a link leads to the page before or after: there are others, such as to a style sheet.
  var leadsToPages: Bool {
    links.contains { link in
      ["next", "prev", "previous"].contains { link.relations.contains($0) }
    }
  }

  private static func relations(in parameters: Substring) -> [String] {
    parameters.split { $0 == ";" || $0 == "," }.flatMap { parameter -> [String] in
      let bare = parameter.lowercased().filter { $0 != "\"" }
      let parts = bare.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, parts[0].filter({ !$0.isWhitespace }) == "rel" else { return [] }
      return parts[1].split(whereSeparator: \.isWhitespace).map(String.init)
    }
  }
}
