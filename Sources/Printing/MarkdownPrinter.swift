internal import FoundationEssentials
package import SearchModel
internal import TextFormats

/// Prints a digest in Markdown (CommonMark, as on GitHub): posts by day (UTC), and a section "What is
/// missing".
///
/// Nothing in a post comes alive: markup is escaped, and a word joiner (U+2060) after `@` and `#` keeps
/// GitHub from notifying people and linking issues.
package struct MarkdownPrinter: PostPrinter {
  package init() {}

  package func beginning(of result: RunResult) -> [UInt8] {
    var text = MarkdownText()
    text.bytes.append("# ")
    text.line(result.tags.isEmpty ? "searchagg" : result.tags.joined(separator: ", "))
    text.bytes.append("\n\n\(result.foundLine), as of \(Self.minute(result.now)).\n")
    if let missing = result.missingLine {
      text.bytes.append("\n**")
      text.line(missing)
      text.bytes.append("**\n")
    }
    return text.bytes
  }

  package func bytes(of posts: ArraySlice<Post>, after previous: Post?) -> [UInt8] {
    var text = MarkdownText()
    text.bytes.reserveCapacity(posts.count * 700)
    var day = previous.map(Self.day)
    for index in posts.indices {
      let next = Self.day(of: posts[index])
      if next != day { text.bytes.append("\n## \(next)\n") }
      day = next
      append(posts[index], to: &text)
    }
    return text.bytes
  }

  package func ending(of result: RunResult) -> [UInt8] {
    let lines = SummaryLines.lines(for: result.outcomes)
    guard !lines.isEmpty else { return [] }
    var text = MarkdownText()
    text.bytes.append("\n## What is missing\n\n")
    for line in lines {
      text.bytes.append("- ")
      text.line(line)
      text.bytes.append("\n")
    }
    return text.bytes
  }

  private func append(_ post: borrowing Post, to text: inout MarkdownText) {
    text.bytes.append("\n")
    let title = post.title ?? ""
    // Markdown does not take ** next to a space for emphasis.
    let heading = ControlCodes.strippedToLine(title).trimmed
    if !heading.isEmpty {
      text.bytes.append("**")
      text.append(heading)
      text.bytes.append("**\\\n")
    }
    text.line(Self.byline(of: post))
    if let url = post.url, Markup.isSafeAddress(url) { text.bytes.append(" · [open](<\(url)>)") }
    text.bytes.append("\n")
    let shown = ControlCodes.stripped(PostWords.withPoll(post.textAfterWarning, of: post))
    if !shown.allSatisfy(\.isWhitespace), shown != title {
      text.bytes.append("\n")
      text.quote(shown)
    }
    guard !post.attachments.isEmpty else { return }
    text.bytes.append("\n\(PostWords.attachments(post.attachments)):\n\n")
    for attachment in post.attachments {
      text.bytes.append("- ")
      text.line(
        [attachment.description, attachment.url].compactMap(\.self).joined(separator: ": "))
      text.bytes.append("\n")
    }
  }

  /// Returns the network, the author, the time and what else a line says about a post.
  private static func byline(of post: borrowing Post) -> String {
    var parts = [post.source.rawValue]
    // Stripped one by one, so that no control sequence of one reaches into the next.
    let handle = post.author.shownHandle.map { "@\(ControlCodes.strippedToLine($0))" }
    let name = post.author.name.flatMap { $0.isEmpty ? nil : ControlCodes.strippedToLine($0) }
    parts += [name.map { name in handle.map { "\(name) (\($0))" } ?? name } ?? handle]
      .compactMap(\.self)
    if let words = PostWords.feed(post) { parts.append(words) }
    if let date = post.createdAt, RFC3339.canWrite(date) {
      parts.append("\(RFC3339.format(date).dropFirst(11).prefix(5)) UTC")
    }
    if let words = PostWords.repost(post) { parts.append(words) }
    if post.editedAt != nil { parts.append("edited") }
    if let words = PostWords.visibility(post) { parts.append(words) }
    if let warning = PostWords.warning(post) {
      parts.append(warning)
    } else if post.isSensitive == true {
      parts.append("sensitive")
    }
    if let counts = PostWords.counts(post.counts) { parts.append(counts) }
    parts += post.tags
    return parts.map(ControlCodes.strippedToLine).joined(separator: " · ")
  }

  private static func day(of post: Post) -> String {
    guard let date = post.createdAt, RFC3339.canWrite(date) else { return "Undated" }
    let day = RFC3339.formatDay(date)
    return post.isFuture ? "\(day) (in the future)" : day
  }

  private static func minute(_ date: Date) -> String {
    guard RFC3339.canWrite(date) else { return "an unknown date" }
    let text = RFC3339.format(date)
    return "\(text.prefix(10)) \(text.dropFirst(11).prefix(5)) UTC"
  }
}

/// Markdown under construction.
struct MarkdownText {
  var bytes: [UInt8] = []

  /// Appends a text on one line, without a line break.
  mutating func line(_ text: String) { append(ControlCodes.strippedToLine(text)[...]) }

  /// Appends a text without control codes as a quotation that keeps its lines.
  mutating func quote(_ text: String) {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    while lines.last?.allSatisfy(\.isWhitespace) == true { lines.removeLast() }
    let start = lines.firstIndex { !$0.allSatisfy(\.isWhitespace) } ?? lines.endIndex
    lines.removeFirst(start)
    for (index, line) in lines.enumerated() {
      let isEmpty = line.allSatisfy(\.isWhitespace)
      bytes.append(isEmpty ? ">" : "> ")
      if !isEmpty {
        append(line)
        // A backslash keeps the line break, where the paragraph goes on.
        let next = lines.dropFirst(index + 1).first
        if let next, !next.allSatisfy(\.isWhitespace) { bytes.append("\\") }
      }
      bytes.append("\n")
    }
  }

  /// Appends the text of one line without control codes, its addresses as links.
  mutating func append(_ text: Substring) {
    let line = String(text.drop(while: \.isWhitespace))
    for part in Markup.parts(of: line) {
      switch part {
      case .address(let address): bytes.append("<\(address)>")
      case .text(let text): escape(text, isStart: text.startIndex == line.startIndex)
      }
    }
  }

  private mutating func escape(_ text: Substring, isStart: Bool) {
    let utf8 = Array(text.utf8)
    // A list, a heading or a rule would begin a line.
    let digits = isStart ? utf8.prefix { $0.isASCIIDigit }.count : 0
    for (index, byte) in utf8.enumerated() {
      let next = index + 1 < utf8.count ? utf8[index + 1] : 0x20
      switch byte {
      case UInt8(ascii: "@"), UInt8(ascii: "#"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
        if next > 0x20 { bytes.append("\u{2060}") }
      case _ where Self.isMarkup(byte):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "="):
        if isStart, index == 0 { bytes.append(UInt8(ascii: "\\")) }
        bytes.append(byte)
      case UInt8(ascii: "."), UInt8(ascii: ")"):
        if digits > 0, index == digits { bytes.append(UInt8(ascii: "\\")) }
        bytes.append(byte)
      // `www.` begins a link and `GH-` an issue on GitHub.
      case UInt8(ascii: "w") where utf8[index...].starts(with: "www.".utf8):
        bytes.append("w\u{2060}")
      case UInt8(ascii: "G") where utf8[index...].starts(with: "GH-".utf8):
        bytes.append("G\u{2060}")
      default: bytes.append(byte)
      }
    }
  }

  private static func isMarkup(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "\\"), UInt8(ascii: "`"), UInt8(ascii: "*"), UInt8(ascii: "_"),
      UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "<"), UInt8(ascii: ">"),
      UInt8(ascii: "&"), UInt8(ascii: "~"), UInt8(ascii: "|"), UInt8(ascii: "$"):
      true
    default: false
    }
  }
}
