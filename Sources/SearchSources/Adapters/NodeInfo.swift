internal import QueuedHTTP
internal import SearchModel
internal import TextFormats

/// The protocol by which fediverse servers name their software: a list at a well-known address, and the
/// document that it links to. https://github.com/jhass/nodeinfo/blob/main/PROTOCOL.md
///
/// It is public, so requests carry no credentials.
enum NodeInfo {
  private static let schemas = "http://nodeinfo.diaspora.software/ns/schema/"

  /// The request for the list of documents.
  static func request(to server: ServerAddress) -> HTTPRequest {
    HTTPRequest(
      url: "\(server.text)/.well-known/nodeinfo", headers: ["Accept": "application/json"])
  }

  /// Reads the list or a document.
  ///
  /// A response from another host, or a link to one, says nothing about this server.
  static func answer(from response: HTTPResponse, of server: ServerAddress) -> SoftwareAnswer {
    guard response.isAnswer, SameOrigin.path(of: response.url, on: server) != nil else {
      return .unknown
    }
    let answer = Answer.value(in: response) { (root) -> SoftwareAnswer? in
      if let name = root["software"]?["name"]?.text {
        return .runs(ServerSoftware(name: name, version: root["software"]?["version"]?.text))
      }
      var newest: (schema: String, href: String)?
      for link in root.list("links") {
        guard let schema = link["rel"]?.string, schema.hasPrefix(schemas),
          let href = link["href"]?.string, schema > newest?.schema ?? ""
        else { continue }
        newest = (schema, href)
      }
      return newest.flatMap { SameOrigin.path(of: $0.href, on: server) }
        .flatMap { SameOrigin.address(of: $0, on: server) }
        .map { .ask(HTTPRequest(url: $0, headers: ["Accept": "application/json"])) }
    }
    return answer ?? .unknown
  }
}
