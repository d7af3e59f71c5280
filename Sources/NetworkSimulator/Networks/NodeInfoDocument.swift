internal import TextFormats

/// The NodeInfo document, in which a fediverse server names its software.
///
/// <https://github.com/jhass/nodeinfo/blob/main/PROTOCOL.md>
struct NodeInfoDocument {
  let software: String
  let version: String

  /// The list of documents, or the one document; nil for a request of another kind.
  func answer(to request: SimulatedRequest) -> SimulatedAnswer? {
    switch request.route {
    case [".well-known", "nodeinfo"]:
      let path = request.path.dropLast(".well-known/nodeinfo".count)
      return .json(
        .members([
          "links": .array([
            .members([
              "rel": "http://nodeinfo.diaspora.software/ns/schema/2.0",
              "href": .string("http://\(request.host)\(path)nodeinfo/2.0"),
            ])
          ])
        ]))
    case ["nodeinfo", "2.0"]:
      return .json(
        .members([
          "version": "2.0",
          "software": .members(["name": .string(software), "version": .string(version)]),
          "protocols": .array(["activitypub"]), "openRegistrations": .bool(false),
          "usage": .members(["users": .members(["total": .integer(3)])]),
        ]))
    default: return nil
    }
  }
}
