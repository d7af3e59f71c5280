package import SearchModel
internal import TextFormats

/// Prints the searches that were not completed as annotations of a GitHub Actions workflow, and nothing
/// else: a post's line could be a command to the runner.
///
/// The posts belong in the job summary instead (`summary`).
package struct GitHubPrinter: PostPrinter {
  /// The most annotations of a kind that GitHub shows for a step.
  private static let mostAnnotations = 10

  /// The most bytes of a job summary.
  package static let longestSummary = 1 << 20

  package init() {}

  package func bytes(of posts: ArraySlice<Post>, after previous: Post?) -> [UInt8] { [] }

  package func ending(of result: RunResult) -> [UInt8] {
    var bytes: [UInt8] = []
    for (command, isError) in [("error", true), ("warning", false)] {
      let missing = result.missing.filter { (OutcomeDetails($0.ending).name == .failed) == isError }
      // Equal ones share a line, so that a server that is down does not hide everything else.
      let lines = SummaryLines.lines(for: missing)
      let shown = lines.prefix(lines.count > Self.mostAnnotations ? Self.mostAnnotations - 1 : .max)
      for line in shown { bytes.append(Self.annotation(command, line)) }
      if lines.count > shown.count {
        bytes.append(Self.annotation(command, "and \(lines.count - shown.count) more like these"))
      }
    }
    return bytes
  }

  private static func annotation(_ command: String, _ line: String) -> String {
    "::\(command) title=\(escaped("searchagg", isProperty: true))::\(escaped(line))\n"
  }

  /// Escapes a text as the runner's commands demand.
  static func escaped(_ text: String, isProperty: Bool = false) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "%": escaped += "%25"
      case "\r": escaped += "%0D"
      case "\n": escaped += "%0A"
      case ":" where isProperty: escaped += "%3A"
      case "," where isProperty: escaped += "%2C"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// Returns the digest for the job summary; posts that do not fit are left out from the end.
  ///
  /// - Parameter limit: The bytes that the summary has room for.
  package static func summary(of result: RunResult, limit: Int = longestSummary) -> [UInt8] {
    let printer = MarkdownPrinter()
    var bytes = printer.beginning(of: result)
    let ending = printer.ending(of: result)
    let room = limit - ending.count - longestNote
    var previous: Post?
    for (number, post) in result.posts.enumerated() {
      let piece = printer.bytes(
        of: result.posts[(result.posts.startIndex + number)...].prefix(1), after: previous)
      guard bytes.count + piece.count <= room else {
        let rest = result.posts.count - number
        bytes.append("\n_\(Plural.count(rest, "more post")) did not fit into the summary._\n")
        break
      }
      bytes += piece
      previous = post
    }
    // Too many failures for one summary: what remains is the note that it is incomplete.
    return bytes.count + ending.count <= limit ? bytes + ending : bytes
  }

  private static let longestNote = 100
}
