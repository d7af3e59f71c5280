import Printing
import SearchModel
import TestSupport
import Testing
import TextFormats

/// A row in the table of fields is all that formats and the reader of their records need.
@Suite struct PostFieldTests {
  @Test func `The table of fields is in the order of the fields, and names none twice`() {
    #expect(PostField.table.map(\.field) == PostField.allCases)
    let printed = PostField.printed.map(\.description)
    #expect(Set(printed.map(\.path)).count == printed.count)
    #expect(Set(printed.map(\.column)).count == printed.count)
    let declared = PostField.declared.map(\.description.declaredName)
    #expect(Set(declared).count == declared.count)
    #expect(Set(PostField.places).count == PostField.allCases.count)
  }

  private static func read(_ line: String, _ visit: (JSONNode) throws -> Void) throws {
    let text = Array(line.utf8)
    try (text + Array(repeating: 0, count: JSON.spareBytes)).withUnsafeBytes { buffer in
      try JSON.read(padded: UnsafeRawBufferPointer(rebasing: buffer[..<text.count]), visit)
    }
  }

  @Test(arguments: PostField.printed)
  func `Each field is a member of JSON, and is read back`(field: PostField) throws {
    let post = try #require(Post.having(field))
    let line = Samples.written(
      by: NDJSONPrinter(RecordContents(isPostsOnly: true)), [post])
    try Self.read(line) { root in
      var node: JSONNode? = root
      for key in field.description.path.split(separator: ".") {
        node = node?[utf8: Array(key.utf8)]
      }
      #expect(node != nil, "\(line)")
      var reader = RecordReader()
      let found = reader.post(root)
      var read = try #require(found)
      // A merge finds these out itself.
      if case .context(.future) = field.place { read.isFuture = post.isFuture }
      if case .context(.also) = field.place { read.also = post.also }
      #expect(read == post && read.createdAt == post.createdAt)
    }
  }

  @Test(arguments: PostField.printed)
  func `A chosen field is the only member`(field: PostField) throws {
    let fields = try FieldSelection(parsing: field.description.path)
    let line = Samples.written(
      by: NDJSONPrinter(RecordContents(fields: fields, isPostsOnly: true)),
      [try #require(Post.having(field))])
    let keys = field.description.path.split(separator: ".").map { "{\"\($0)\":" }
    #expect(line.hasPrefix(keys.joined()))
    #expect(!line.contains(",\"") || field == .attachments)
  }

  @Test(arguments: PostField.printed)
  func `Each field is a column and a name in templates`(field: PostField) throws {
    let post = try #require(Post.having(field))
    for contents in [
      RecordContents(fields: FieldSelection([field]), isPostsOnly: true),
      RecordContents(isPostsOnly: true),
    ] {
      let rows = Samples.written(by: TablePrinter(.tsv, contents), [post])
        .split(separator: "\n").map { $0.split(separator: "\t", omittingEmptySubsequences: false) }
      try #require(rows.count == 2)
      let column = try #require(rows[0].firstIndex { $0 == field.description.column })
      #expect(!rows[1][column].isEmpty)
    }
    let path = field.description.path
    let template = TemplatePrinter(
      try PostTemplate("{{\(path)}}{{^\(path)}}none{{/\(path)}}"))
    let text = Samples.written(by: template, [post])
    #expect(text != "\n" && text != "none\n")
  }
}
