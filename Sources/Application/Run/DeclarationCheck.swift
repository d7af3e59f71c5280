package import FoundationEssentials
internal import Printing
internal import QueuedHTTP
internal import SafeFiles
internal import SearchEngine
package import SearchModel
internal import SearchSources
internal import TextFormats

/// Reads a recorded response with the declaration in a file, and shows which parts of posts it finds.
package struct DeclarationCheck {
  private static let largestDeclaration = 1 << 20
  private static let longestValue = 60

  private let source: any Source
  private let server: ServerAddress

  /// Returns whether an argument is the path of a declaration, and not the name of a source.
  package static func isPath(_ text: String) -> Bool { text.hasSuffix(".json") }

  /// Reads a declaration, alone or as the only one in a configuration file.
  package init(at path: String, in surroundings: Surroundings) throws {
    // What is not there may also be a name that was meant otherwise.
    let bytes = try naming(path, failingWith: .usage) {
      try BoundedRead.bytes(
        of: surroundings.absolutePath(path), limit: Self.largestDeclaration)
    }
    source = try naming(path, failingWith: .badConfiguration) {
      try Self.source(JSONDocument(reading: bytes).root(quotingValues: false))
    }
    let address = source.traits.defaultServer ?? "https://server.example"
    guard let server = ServerAddress(address) else {
      throw CommandFailure(.badConfiguration, "\(path): \(address) is not an address")
    }
    self.server = server
  }

  private static func source(_ root: JSONEntry) throws(DocumentError) -> any Source {
    let known = try root.object(knowing: ["sources"], ignoresUnknown: true)
    guard let sources = known["sources"] else {
      return try Declaration.source("mine", reading: root)
    }
    let declared = try ConfiguredSources(sources).declared
    guard declared.count == 1 else { throw root.fault(expected: "one declaration", at: "sources") }
    return declared[0]
  }

  /// The request for the first page, which is not sent, with secrets as ***.
  package func request(for query: Query, now: Date) throws -> String {
    try naming("the request cannot be written", failingWith: .unavailable) {
      try SearchPreview(page(of: query, now: now), of: source).first().text
    }
  }

  /// The table of what a recorded response holds.
  package func fields(
    of path: String, to query: Query, now: Date, in surroundings: Surroundings
  ) throws -> String {
    let body = try naming(path) {
      try BoundedRead.bytes(of: surroundings.absolutePath(path), limit: RunLimits.largestResponse)
    }
    let response = HTTPResponse(status: 200, body: HTTPBody(body))
    let found = try naming(path) {
      try source.page(from: response, to: page(of: query, now: now))
    }
    guard found.items > 0 else { return "no posts: the response says that nothing was found\n" }
    guard !found.posts.isEmpty else {
      throw CommandFailure(
        .unavailable,
        "\(path): no posts, \(Plural.count(found.brokenItems, "item")) could not be read; check items and fields"
      )
    }
    let rows = PostField.declared.map { field in
      let values = found.posts.compactMap { $0.readValues(field.text) }.filter { !$0.isEmpty }
      let first = ControlCodes.strippedToLine(values.first ?? "")
      return (
        field.description.declaredName, "\(values.count)",
        String(first.prefix(Self.longestValue))
      )
    }
    let table = TextTable(columns: [
      ["FIELD"] + rows.map(\.0), ["POSTS"] + rows.map(\.1), ["FIRST"] + rows.map(\.2),
    ])
    let broken =
      found.brokenItems == 0
      ? "" : ", \(Plural.count(found.brokenItems, "item")) could not be read"
    let missing = found.gap ?? found.deadEnd
    let next =
      found.next != nil ? "another page follows" : missing == nil ? "the last page" : "incomplete"
    let unmet = (source as? JSONNetwork)?.unmetPaths(in: response) ?? []
    let lines =
      (found.notes + [missing].compactMap(\.self)).map { "\($0)\n" }
      + unmet.map { "\($0.key): the response has nothing at \($0.path)\n" }
    return table.text + "\n\(Plural.count(found.posts.count, "post"))\(broken); \(next)\n"
      + lines.joined()
  }

  private func page(of query: Query, now: Date) -> PageRequest {
    PageRequest(source.split(query, with: nil), server: server, now: now)
  }
}
