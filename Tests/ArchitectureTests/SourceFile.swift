import Foundation

/// A Swift file of this package.
struct SourceFile {
  /// From the root of the package: `Sources/Printing/TextPrinter.swift`.
  let path: String
  /// The lines as they are written.
  let lines: [Substring]
  /// The lines without comments and the words of literals.
  let codeLines: [Substring]

  /// The folder below `Sources` or `Tests`: the name of the target.
  var target: String { path.split(separator: "/").dropFirst().first.map(String.init) ?? "" }

  /// The name without folder and suffix.
  var name: String {
    String((path.split(separator: "/").last ?? "").dropLast(".swift".count))
  }

  /// The words of its code.
  var words: Set<Substring> {
    Set(codeLines.flatMap { $0.utf8.split { !Self.isOfWord($0) }.map { Substring($0) } })
  }

  /// The modules that it imports, each with its line number.
  var imports: [(module: String, line: Int)] {
    codeLines.enumerated().compactMap { index, line in
      // `@testable package import struct Module.Name`
      let words = line.split(separator: " ")
      guard let keyword = words.firstIndex(of: "import"), keyword + 1 < words.count else {
        return nil
      }
      guard words[..<keyword].allSatisfy({ $0.hasPrefix("@") || Self.levels.contains($0) }) else {
        return nil
      }
      let kinds: Set<Substring> = [
        "struct", "class", "enum", "protocol", "typealias", "func", "let", "var",
      ]
      let isOfKind = kinds.contains(words[keyword + 1]) && keyword + 2 < words.count
      let module = words[isOfKind ? keyword + 2 : keyword + 1].prefix { $0 != "." }
      return (String(module), index + 1)
    }
  }

  private static func isOfWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  private static let levels: Set<Substring> = [
    "public", "package", "internal", "fileprivate", "private",
  ]

  // This file is Tests/ArchitectureTests/SourceFile.swift.
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// Returns the text of a file of the package.
  static func text(of path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// The Swift files below a folder of the package, by path.
  static func all(below folder: String) throws -> [SourceFile] {
    let paths = FileManager.default.enumerator(atPath: root.appending(path: folder).path)
    return try (paths?.compactMap { $0 as? String } ?? []).filter { $0.hasSuffix(".swift") }
      .sorted()
      .map { path in
        let text = try String(
          contentsOf: root.appending(path: folder).appending(path: path), encoding: .utf8)
        return SourceFile(
          path: "\(folder)/\(path)",
          lines: text.split(separator: "\n", omittingEmptySubsequences: false),
          codeLines: SwiftCode.only(in: text).split(
            separator: "\n", omittingEmptySubsequences: false))
      }
  }
}
