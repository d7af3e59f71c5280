import Application
import SearchAggCLI
import TestSupport
import Testing

/// Mistakes in the declarations of a configuration file: one line that names file, source and key.
@Suite struct DeclaredSourceFaultTests {
  private static let sound =
    #""kind": "json", "url": "https://a.example/?q={query}", "fields": {"id": "i", "text": "t"}"#

  @Test(arguments: [
    (#"{"forum": {"kind": "json"}}"#, "sources.forum.url: expected an address with {query} in it"),
    (
      #"{"forum": {\#(sound), "page": {"by": "number"}}}"#,
      "sources.forum.page.by: expected one of page, offset, cursor, link"
    ),
    (
      #"{"forum": {\#(sound), "headers": {"Authorization": "Bearer s3cret"}}}"#,
      "sources.forum.headers.Authorization: no secrets in this file: name a variable in "
        + "braces instead, such as {FORUM_TOKEN}"
    ),
    (
      #"{"forum": {\#(sound), "servers": 5}}"#,
      #"sources.forum.servers: expected a list such as ["https://…"]"#
    ),
    (
      #"{"My_Forum": {\#(sound)}}"#,
      "sources.My_Forum: expected a name of at most 40 lowercase letters, digits and dashes, such as my-forum"
    ),
    (
      #"{"mastodon": {\#(sound)}}"#,
      "sources.mastodon: mastodon is a built-in source: choose another name"
    ),
    (#"{"forum": {\#(sound)}, "forum": {\#(sound)}}"#, "sources.forum: duplicate key"),
    (#"{"forum": 5}"#, #"sources.forum: expected an object such as {"servers": ["https://…"]}"#),
  ])
  func `A mistake is 78 and one line`(sources: String, line: String) async throws {
    let world = try TestWorld()
    try world.folder.write(#"{"sources": \#(sources)}"#, to: "my.json")
    let outcome = await world.run("run", "a", "--config", "my.json")
    #expect(outcome.status == .badConfiguration)
    #expect(outcome.errors == "searchagg: my.json: \(line)\n")
    #expect(!outcome.errors.contains("s3cret"))
  }

  @Test func `A source that is neither known nor declared is told how to declare it`() async throws
  {
    let world = try TestWorld()
    try world.folder.write(
      #"{"sources": {"forum": {"servers": []}}}"#, to: "home/.config/searchagg/config.json")
    let outcome = await world.run("tags", "add", "a", "--source", "forum")
    #expect(outcome.status == .badConfiguration)
    #expect(outcome.errors.contains(#"sources.forum: unknown source"#))
    #expect(outcome.errors.contains(#""kind": "json""#))
  }

  @Test func `A declared name is one of those that --source takes`() async throws {
    let world = try TestWorld()
    try world.folder.write(
      #"{"sources": {"forum": {\#(Self.sound)}}}"#, to: "home/.config/searchagg/config.json")
    let added = await world.run("tags", "add", "a", "--source", "forum,mastodon")
    #expect(added.status == .success, "\(added.errors)")
    let other = await world.run("tags", "add", "b", "--source", "fora")
    #expect(other.status == .usage)
    #expect(other.errors.contains("feed, forum"))
    let run = await world.run("run", "a", "--source", "fora")
    #expect(run.status == .usage)
    #expect(run.errors.contains("feed, forum"))
  }
}
