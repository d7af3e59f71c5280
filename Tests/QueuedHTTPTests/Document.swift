import Foundation

/// A document of the library: its README, or a page of its guide.
struct Document {
  /// The folder of the library's sources.
  static let sources = ConsumerPackage.repository.appending(path: "Sources/QueuedHTTP")

  let name: String
  let text: String
  /// The pieces of Swift, in order.
  let code: [String]

  init(_ path: String) throws {
    name = path.split(separator: "/").last.map(String.init) ?? path
    text = try String(contentsOf: Self.sources.appending(path: path), encoding: .utf8)
    code = text.components(separatedBy: "```swift\n").dropFirst().map { block in
      block.components(separatedBy: "```")[0]
    }
  }

  static let readme = Result { try Document("README.md") }

  /// The pages of the guide.
  static let pages = Result {
    try FileManager.default.contentsOfDirectory(
      atPath: sources.appending(path: "QueuedHTTP.docc").path
    ).filter { $0.hasSuffix(".md") }.sorted().map { try Document("QueuedHTTP.docc/\($0)") }
  }
}
