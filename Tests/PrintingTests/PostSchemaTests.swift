import Foundation
import Printing
import SearchModel
import TestSupport
import Testing

@Suite struct PostSchemaTests {
  @Test func `The schema in the repository is the one that is printed`() throws {
    let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
      .joined(separator: "/")
    let path = "\(root)/docs/posts.schema.json"
    if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] != nil {
      try PostSchema.text.write(toFile: path, atomically: true, encoding: .utf8)
    }
    let file = try String(contentsOfFile: path, encoding: .utf8)
    #expect(PostSchema.text == file)
  }

  @Test func `The schema knows every key of a post and of an outcome`() throws {
    let schema = try #require(
      try JSONSerialization.jsonObject(with: Data(PostSchema.text.utf8)) as? [String: Any])
    let definitions = try #require(schema["$defs"] as? [String: [String: Any]])
    let post = try #require(definitions["post"]?["properties"] as? [String: [String: Any]])
    var paths: [String] = []
    for (name, property) in post {
      let members = property["properties"] as? [String: Any]
      paths += members.map { $0.keys.map { "\(name).\($0)" } } ?? [name]
    }
    #expect(Set(paths) == Set(PostField.printed.map(\.description.path)))

    let outcome = try #require(definitions["outcome"]?["properties"] as? [String: Any])
    var outcomes = try Samples.outcomes()
    outcomes[0].posts = 3
    outcomes[0].pages = 1
    let closing = try JSONSerialization.jsonObject(
      with: Data(Samples.written(by: NDJSONPrinter(), [], outcomes: outcomes).utf8))
    let written = (closing as? [String: Any])?["outcomes"] as? [[String: Any]] ?? []
    #expect(Set(written.flatMap(\.keys)) == Set(outcome.keys))
  }

  @Test func `A full post has every field`() throws {
    var post = try Samples.full(repostOf: "8", repostedBy: Author(handle: "b", name: "B", url: "u"))
    post.isFuture = true
    post.also = [PostCopy(source: "x", address: "https://x.example")]
    let poll = Post(
      id: "2", source: "x", server: try Samples.server(), uri: "x:2", feed: "News", text: "",
      contentWarning: "loud", poll: ["yes", "no"], visibility: .unlisted)
    let lines = Samples.written(by: NDJSONPrinter(), [post, poll]).split(separator: "\n")
    let object = try lines.prefix(2).map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
    .reduce([:]) { $0.merging($1) { full, _ in full } }
    for field in PostField.printed.map(\.description) {
      var value: Any? = object
      for key in field.path.split(separator: ".") {
        value = (value as? [String: Any])?[String(key)]
      }
      #expect(value != nil, "\(field.path)")
    }
  }
}
