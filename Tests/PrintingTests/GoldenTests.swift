import FoundationEssentials
import Printing
import SearchModel
import Testing

/// The outputs of all formats, kept as files.
///
/// After a wanted change they are written anew with `UPDATE_GOLDEN=1 swift test --filter GoldenTests`, and
/// the difference is for a person to read.
@Suite struct GoldenTests {
  private static let folder =
    #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(2)
    .joined(separator: "/") + "/Golden"

  private static let isUpdating = ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] != nil

  private func check(_ text: String, _ name: String) throws {
    let path = "\(Self.folder)/\(name)"
    if Self.isUpdating {
      try Data(text.utf8).write(to: URL(filePath: path))
    }
    let data = try #require(FileManager.default.contents(atPath: path), "\(path) is missing")
    let kept = String(decoding: data, as: UTF8.self)
    let difference = zip(
      text.split(separator: "\n", omittingEmptySubsequences: false),
      kept.split(separator: "\n", omittingEmptySubsequences: false)
    ).first { $0 != $1 }
    #expect(
      text.utf8.elementsEqual(kept.utf8), "\(name) differs: \(String(describing: difference))")
  }

  private func written(_ format: OutputFormat, _ style: TextStyle) throws -> String {
    Samples.written(
      by: format.printer(style: style), try Gallery.posts(), outcomes: try Samples.outcomes(),
      isIncomplete: true)
  }

  @Test(arguments: [40, 80, 120], [false, true])
  func `Text on a terminal is as kept`(columns: Int, isColored: Bool) throws {
    let style = TextStyle(
      columns: columns, usesColor: isColored, usesLinks: isColored, relativeTimes: true,
      now: Samples.now)
    let selection = ScreenSelection(try Gallery.posts(), most: 7)
    let text = Samples.written(
      by: TextPrinter(style: style, closing: selection.closing), Array(selection.posts))
    try check(text, "text-\(columns)\(isColored ? "-color" : "").txt")
  }

  @Test(arguments: [40, 80, 120])
  func `A text in every script is as kept`(columns: Int) throws {
    let style = TextStyle(columns: columns, isFull: true, now: Samples.now)
    let post = try Samples.bare(text: Self.scripts)
    try check(
      Samples.written(by: TextPrinter(style: style), [post]), "scripts-\(columns).txt")
  }

  /// Words of characters from every block of Unicode that has some, and emoji sequences.
  private static let scripts: String = {
    var lines = ["👩‍👩‍👧‍👦 👍🏽 🇫🇷 ❤️ 1️⃣ 🏴 e\u{301}te\u{301} ｆｕｌｌ ﾊﾝｶｸ 가나다 각"]
    for block in stride(from: UInt32(0xA0), to: 0x20000, by: 128) {
      let scalars = (block..<(block + 128)).compactMap(Unicode.Scalar.init).filter { scalar in
        switch scalar.properties.generalCategory {
        case .unassigned, .control, .format, .surrogate, .privateUse, .spaceSeparator,
          .lineSeparator, .paragraphSeparator:
          false
        default: true
        }
      }
      guard !scalars.isEmpty else { continue }
      var line = ""
      for (index, scalar) in scalars.enumerated() where index % 3 == 0 {
        line.unicodeScalars.append(scalar)
        if index % 15 == 12 { line += " " }
      }
      lines.append(line)
    }
    return lines.joined(separator: "\n")
  }()

  @Test(arguments: OutputFormat.allCases)
  func `What is piped is as kept`(format: OutputFormat) throws {
    try check(try written(format, TextStyle(now: Samples.now)), "\(format).txt")
  }

  @Test(arguments: OutputFormat.allCases.filter { $0 != .text }, [40, 80, 120])
  func `Only text depends on the terminal`(format: OutputFormat, columns: Int) throws {
    let style = TextStyle(
      columns: columns, usesColor: true, usesLinks: true, relativeTimes: true, now: Samples.now)
    #expect(try written(format, style) == written(format, TextStyle(now: Samples.now)))
  }

  @Test(arguments: CountPrinter.Key.allCases)
  func `Counts are as kept`(key: CountPrinter.Key) throws {
    let style = TextStyle(columns: 60, now: Samples.now)
    let text = Samples.written(
      by: CountPrinter([key], as: .text, style: style), try Gallery.posts())
    try check(text, "count-\(key).txt")
  }

  @Test(arguments: CountPrinter.formats.filter { $0 != .text })
  func `Counts in formats for programs are as kept`(format: OutputFormat) throws {
    let printer = CountPrinter([.network], as: format, style: TextStyle(now: Samples.now))
    let text = Samples.written(
      by: printer, try Gallery.posts(), outcomes: try Samples.outcomes(), isIncomplete: true)
    try check(text, "count-network-\(format).txt")
  }
}
