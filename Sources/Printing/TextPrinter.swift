internal import FoundationEssentials
package import SearchModel
internal import TextFormats

/// Prints posts for people: a header line, the text below it, and the address.
///
/// The outcomes go to standard error instead (`SummaryLines`). Remote text is stripped of control codes
/// whether a terminal reads it or not.
package struct TextPrinter: PostPrinter {
  private let style: TextStyle

  package init(style: TextStyle) { self.style = style }

  package func bytes(of posts: ArraySlice<Post>, after previous: Post?) -> [UInt8] {
    var composer = TextComposer(style: style)
    for index in posts.indices {
      if index > posts.startIndex || previous != nil { composer.endLine() }
      composer.append(posts[index])
    }
    return composer.bytes
  }

  package func ending(of result: RunResult) -> [UInt8] { [] }
}

/// Lays posts out as bytes.
// Straight into bytes: a hundred thousand posts are printed in less time than it takes to interpolate
// their header lines.
private struct TextComposer {
  private(set) var bytes: [UInt8] = []
  private let style: TextStyle
  /// The text that is being broken into lines; kept for its storage.
  private var scratch: [UInt8] = []

  private static let indent = 4
  /// The columns of a date: those of RFC 3339 with milliseconds, or of the longest relative time.
  private static let dateColumns = 24
  private static let relativeColumns = 10

  init(style: TextStyle) {
    self.style = style
    bytes.reserveCapacity(1 << 19)
  }

  mutating func endLine() { bytes.append(UInt8(ascii: "\n")) }

  mutating func append(_ post: borrowing Post) {
    appendHeader(of: post)
    if let title = post.title { appendBody(title, color: .bold) }
    appendBody(post.text, color: nil)
    if let url = post.url, !url.isEmpty { appendAddress(url) }
    if !post.also.isEmpty { appendCopies(post.also) }
  }

  private mutating func appendHeader(of post: borrowing Post) {
    appendDate(of: post)
    appendGap()
    begin(.network(post.source.rawValue))
    appendLine(post.source.rawValue)
    end()
    appendAuthor(post.author, withName: hasRoomForName(of: post))
    if let words = Self.repostWords(of: post) {
      appendGap()
      begin(.dim)
      appendLine(words)
      end()
    }
    if post.isSensitive == true {
      appendGap()
      begin(.red)
      appendPlain("sensitive")
      end()
    }
    if !post.tags.isEmpty {
      appendGap()
      begin(.dim)
      for index in post.tags.indices {
        if index > 0 { appendPlain(", ") }
        appendLine(post.tags[index])
      }
      end()
    }
    endLine()
  }

  private mutating func appendDate(of post: borrowing Post) {
    begin(.dim)
    let start = bytes.count
    if let date = post.createdAt, RFC3339.canWrite(date) {
      if style.relativeTimes {
        appendPlain(post.isFuture ? "in the future, " : "")
        appendPlain(RelativeTime.words(for: date, now: style.now))
      } else {
        RFC3339.append(date, to: &bytes)
        if post.isFuture { appendPlain("  in the future") }
      }
    } else {
      appendPlain("undated")
    }
    let columns = style.relativeTimes ? Self.relativeColumns : Self.dateColumns
    appendBlanks(columns - (bytes.count - start))
    end()
  }

  /// `reposted by @HANDLE`; nil for a post that is no repost.
  private static func repostWords(of post: borrowing Post) -> String? {
    guard let reposter = post.repostedBy else { return post.repostOf == nil ? nil : "repost" }
    let name = reposter.handle.isEmpty ? reposter.name : "@\(reposter.handle)"
    return name.map { "reposted by \($0)" } ?? "repost"
  }

  /// Whether a header with the author's name fits the terminal: the handle says who it is, too.
  private func hasRoomForName(of post: borrowing Post) -> Bool {
    guard let columns = style.columns, !post.author.handle.isEmpty else { return true }
    let parts = [
      post.source.rawValue, "@\(post.author.handle) (\(post.author.name ?? ""))",
      Self.repostWords(of: post) ?? "",
      post.isSensitive == true ? "sensitive" : "", post.tags.joined(separator: ", "),
    ]
    let widths = parts.filter { !$0.isEmpty }
      .map { DisplayWidth.columns(of: ControlCodes.strippedToLine($0)) + 2 }
    return Self.relativeColumns + widths.reduce(0, +) <= columns
  }

  private mutating func appendAuthor(_ author: borrowing Author, withName isNamed: Bool) {
    guard !author.handle.isEmpty || author.name != nil else { return }
    appendGap()
    if !author.handle.isEmpty {
      begin(.bold)
      bytes.append(UInt8(ascii: "@"))
      appendLine(author.handle)
      end()
    }
    if isNamed, let name = author.name, !name.isEmpty, name != author.handle {
      if !author.handle.isEmpty { bytes.append(UInt8(ascii: " ")) }
      bytes.append(UInt8(ascii: "("))
      appendLine(name)
      bytes.append(UInt8(ascii: ")"))
    }
  }

  /// Appends the lines of a text, indented, so that none can pass for the header of a post.
  private mutating func appendBody(_ text: String, color: TextColor?) {
    scratch.removeAll(keepingCapacity: true)
    ControlCodes.append(text, isSingleLine: false, to: &scratch)
    while let last = scratch.last, last == UInt8(ascii: "\n") || last == UInt8(ascii: " ") {
      scratch.removeLast()
    }
    let start = scratch.firstIndex { $0 != UInt8(ascii: "\n") } ?? scratch.endIndex
    guard start < scratch.endIndex else { return }
    guard let columns = style.columns else {
      appendLines(from: start, color: color)
      return
    }
    let body = String(decoding: scratch[start...], as: UTF8.self)
    for line in Wrapping.lines(of: body, columns: columns - Self.indent) {
      appendIndented(Array(line.utf8)[...], color: color)
    }
  }

  private mutating func appendLines(from start: Int, color: TextColor?) {
    var start = start
    while let end = scratch[start...].firstIndex(of: UInt8(ascii: "\n")) {
      appendIndented(scratch[start..<end], color: color)
      start = end + 1
    }
    appendIndented(scratch[start...], color: color)
  }

  private mutating func appendIndented(_ line: ArraySlice<UInt8>, color: TextColor?) {
    if !line.isEmpty {
      appendBlanks(Self.indent)
      begin(color)
      bytes.append(contentsOf: line)
      end(color)
    }
    endLine()
  }

  private mutating func appendAddress(_ url: String) {
    appendBlanks(Self.indent)
    // The address that a link opens is written as bytes of a control string: anything but the
    // characters of a URI (RFC 3986) could end it early.
    let isLink =
      style.usesLinks && (url.hasPrefix("https://") || url.hasPrefix("http://"))
      && url.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    if isLink {
      appendPlain("\u{1B}]8;;")
      appendPlain(url)
      appendPlain("\u{1B}\\")
    }
    begin(.dim)
    appendLine(url)
    end()
    if isLink { appendPlain("\u{1B}]8;;\u{1B}\\") }
    endLine()
  }

  /// Appends the networks that have the same elsewhere, each once.
  private mutating func appendCopies(_ copies: [PostCopy]) {
    var names: [String] = []
    for copy in copies where !names.contains(copy.source.rawValue) {
      names.append(copy.source.rawValue)
    }
    appendBlanks(Self.indent)
    begin(.dim)
    appendLine("also on \(names.joined(separator: ", "))")
    end()
    endLine()
  }

  /// Appends a text that is not ours, on the line that is being written.
  private mutating func appendLine(_ text: String) {
    ControlCodes.append(text, isSingleLine: true, to: &bytes)
  }

  private mutating func appendPlain(_ text: String) { bytes.append(contentsOf: text.utf8) }

  private mutating func appendGap() { appendBlanks(2) }

  private mutating func appendBlanks(_ count: Int) {
    for _ in 0..<max(count, 0) { bytes.append(UInt8(ascii: " ")) }
  }

  private mutating func begin(_ color: @autoclosure () -> TextColor?) {
    if style.usesColor, let color = color() { appendPlain(color.sequence) }
  }

  private mutating func end(_ color: TextColor? = .bold) {
    if style.usesColor, color != nil { appendPlain(TextColor.end) }
  }
}

/// Dates relative to now: "5 min ago", "3 h ago", "2 d ago"; a calendar day after a week.
private enum RelativeTime {
  static func words(for date: Date, now: Date) -> String {
    let seconds = now.timeIntervalSince(date)
    switch seconds {
    // Clocks differ slightly.
    case -Merge.toleratedLead..<60: return "just now"
    case 60..<3_600: return "\(Int(seconds / 60)) min ago"
    case 3_600..<86_400: return "\(Int(seconds / 3_600)) h ago"
    case 86_400..<604_800: return "\(Int(seconds / 86_400)) d ago"
    case _: return String(RFC3339.format(date).prefix(10))
    }
  }
}
