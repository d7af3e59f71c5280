import Foundation
import Testing

/// What the documentation says of the library, and what it leaves out.
@Suite struct DocumentationTests {
  private let sources = Document.sources

  @Test func `The first page names every public type and every other page`() throws {
    let folder = sources.appending(path: "QueuedHTTP.docc")
    let first = try String(
      contentsOf: folder.appending(path: "QueuedHTTP.md"), encoding: .utf8)
    let files = try FileManager.default.subpathsOfDirectory(atPath: sources.path)
    let type =
      /^public (?:final |indirect )*(?:struct|enum|class|actor|protocol|typealias) (\w+)/
      .anchorsMatchLineEndings()
    var count = 0
    for file in files where file.hasSuffix(".swift") {
      let text = try String(contentsOf: sources.appending(path: file), encoding: .utf8)
      for match in text.matches(of: type) {
        count += 1
        #expect(first.contains("\n- ``\(match.1)``\n"), "\(match.1)")
      }
    }
    #expect(count > 30)
    for page in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      let name = page.replacing(".md", with: "")
      #expect(name == "QueuedHTTP" || first.contains("\n- <doc:\(name)>\n"))
    }
  }

  @Test func `Every public symbol has a comment`() throws {
    let files = try FileManager.default.subpathsOfDirectory(atPath: sources.path)
    var bare: [String] = []
    var count = 0
    for file in files where file.hasSuffix(".swift") {
      let text = try String(contentsOf: sources.appending(path: file), encoding: .utf8)
      var last = ""
      for line in text.split(separator: "\n").map({ $0.trimmingPrefix(while: \.isWhitespace) }) {
        if line.hasPrefix("public "), !line.hasPrefix("public import") {
          count += 1
          if !last.hasPrefix("///") && !line.hasPrefix("public extension") {
            bare.append("\(file): \(line)")
          }
        }
        // What stands between a comment and its symbol.
        if !line.hasPrefix("@") { last = String(line) }
      }
    }
    #expect(bare == [])
    #expect(count > 200)
  }
}
