internal import FoundationEssentials
package import SearchModel
internal import TextFormats

/// Prints posts for people: a header line, the text below it, and the address.
///
/// The outcomes go to standard error instead (`SummaryLines`). Remote text is stripped of control codes
/// whether a terminal reads it or not.
package struct TextPrinter: PostPrinter {
  private let style: TextStyle
  private let closing: [String]

  /// - Parameter closing: Lines that follow the last post, after an empty one.
  package init(style: TextStyle, closing: [String] = []) {
    self.style = style
    self.closing = closing
  }

  package func bytes(of posts: ArraySlice<Post>, after previous: Post?) -> [UInt8] {
    var composer = TextComposer(style: style, expecting: posts.count)
    var isFirst = previous == nil
    posts.readEach(askingAhead: true) { post in
      if !isFirst { composer.endLine() }
      isFirst = false
      composer.append(post)
    }
    return composer.bytes
  }

  package func ending(of result: RunResult) -> [UInt8] {
    guard !closing.isEmpty else { return [] }
    var composer = TextComposer(style: style)
    if !result.posts.isEmpty { composer.endLine() }
    for line in closing { composer.append(closing: line) }
    return composer.bytes
  }
}

/// Posts laid out as bytes.
// Straight into bytes: a hundred thousand posts are printed in less time than it takes to interpolate
// their header lines.
private struct TextComposer: ~Copyable {
  private var block: ByteBlock
  private var dates = RFC3339Writer()
  private let style: TextStyle
  /// The text that is being broken into lines; kept for its storage.
  private var scratch: [UInt8] = []
  /// The words of the tags of the latest post.
  private var sought: (tags: [String], words: SoughtWords) = ([], SoughtWords(tags: []))

  private static let indentation: StaticString = "    "
  private static let indent = indentation.utf8CodeUnitCount
  /// The columns of a date in RFC 3339 with milliseconds.
  private static let dateColumns = 24
  /// The most lines of a post on a terminal.
  private static let mostLines = 12
  /// The most attachments of a post on a terminal.
  private static let mostAttachments = 4

  /// - Parameter count: The expected number of posts.
  init(style: TextStyle, expecting count: Int = 0) {
    self.style = style
    block = ByteBlock(capacity: count * 512)
  }

  var bytes: [UInt8] { consuming get { block.bytes } }

  mutating func endLine() { block.append(UInt8(ascii: "\n")) }

  mutating func append(closing line: String) {
    begin(.gray)
    appendLine(style.columns.map { Ellipsis.truncate(line, to: $0) } ?? line)
    end()
    endLine()
  }

  mutating func append(_ post: PostValues) {
    if let columns = style.columns {
      appendHeader(of: post.whole, within: columns)
      appendBody(of: post.whole, within: columns - Self.indent)
    } else {
      appendHeader(of: post)
      appendBody(of: post)
    }
    appendFooter(of: post)
  }

  private mutating func appendBody(of post: PostValues) {
    let record = post.record
    if record.title.isNone,
      !post.hasRareFields || post.rare.contentWarning.isNone && post.rare.poll.isEmpty
    {
      return appendBody(post.texts[record.text], color: nil)
    }
    let post = post.whole
    if let title = post.title { appendBody(title, color: .bold) }
    if let warning = PostWords.warning(post) { appendBody(warning, color: .red) }
    let text = post.textAfterWarning
    if post.title.map({ !Self.isSame($0, text) }) ?? true { appendBody(text, color: nil) }
    for option in PostWords.poll(post) { appendBody(option, color: nil) }
  }

  // MARK: The header

  /// Appends a header with columns of fixed width, so that programs can cut it.
  private mutating func appendHeader(of post: PostValues) {
    appendDate(of: post)
    appendGap()
    begin(.network(post.source.rawValue))
    appendLine(post.source.rawValue)
    end()
    let record = post.record
    appendAuthor(record.author, post.texts)
    let hasMarks =
      post.hasRareFields || record.isSensitive == true || record.visibility != nil
    for mark in hasMarks || style.shown != nil ? marks(of: post.whole) : [] {
      appendGap()
      begin(mark.color)
      appendLine(mark.text)
      end(mark.color)
    }
    if !post.tags.isEmpty {
      appendGap()
      begin(.gray)
      for index in post.tags.indices {
        if index > 0 { appendPlain(", ") }
        appendLine(post.tags[index])
      }
      end()
    }
    endLine()
  }

  private mutating func appendDate(of post: PostValues) {
    begin(.gray)
    let start = block.count
    if style.relativeTimes {
      appendPlain(age(of: post.createdAt, isFuture: post.isFuture))
    } else if let date = post.createdAt, dates.append(date, to: &block) {
      if post.isFuture { appendPlain("  in the future") }
    } else {
      appendPlain("undated")
    }
    appendBlanks(Self.dateColumns - (block.count - start))
    end()
  }

  private mutating func appendAuthor(_ author: PackedAuthor, _ texts: PostTexts) {
    let handle = texts[author.handle]
    let name = texts[author.name]
    guard !handle.isEmpty || !author.name.isNone else { return }
    appendGap()
    let isHandleShown = !handle.isEmpty && (name.isEmpty || !Author.isIdentifier(handle))
    if isHandleShown {
      begin(.bold)
      block.append(UInt8(ascii: "@"))
      appendLine(handle)
      end()
    }
    if !name.isEmpty, !isHandleShown || !name.elementsEqual(handle) {
      if isHandleShown { block.append(UInt8(ascii: " ")) }
      block.append(UInt8(ascii: "("))
      appendLine(name)
      block.append(UInt8(ascii: ")"))
    }
  }

  /// A part of a header, on one line.
  private typealias Part = (text: String, color: TextColor?)

  private func marks(of post: borrowing Post) -> [Part] {
    var marks: [Part] = []
    if let shown = style.shown, !shown.contains(post.identityHash) {
      marks.append(("new", .green))
    }
    if let words = PostWords.feed(post) { marks.append((words, .gray)) }
    if let words = PostWords.repost(post) { marks.append((words, .gray)) }
    if post.editedAt != nil { marks.append(("edited", .gray)) }
    if post.isSensitive == true { marks.append(("sensitive", .red)) }
    if let words = PostWords.visibility(post) { marks.append((words, .red)) }
    return marks
  }

  /// Appends a header that fits a terminal: on more than one line where it must, and without the author's
  /// name where that makes it fit one.
  private mutating func appendHeader(of post: borrowing Post, within columns: Int) {
    let author = post.author
    let shown = author.shownHandle
    let name = author.name.flatMap { $0.isEmpty || $0 == shown ? nil : "(\($0))" }
    let handle = shown.map { "@\($0)" }
    var parts: [Part] = [(post.source.rawValue, .network(post.source.rawValue))]
    if let handle { parts.append((handle, .bold)) }
    if let name { parts.append((name, nil)) }
    parts.append((age(of: post.createdAt, isFuture: post.isFuture), .gray))
    parts += marks(of: post)
    if !post.tags.isEmpty { parts.append((post.tags.joined(separator: ", "), .gray)) }
    parts = parts.map { (ControlCodes.strippedToLine($0.text), $0.color) }
    let width = parts.reduce(-2) { $0 + DisplayWidth.columns(of: $1.text) + 2 }
    if name != nil, handle != nil, width > columns { parts.remove(at: 2) }

    var used = 0
    for (index, part) in parts.enumerated() {
      let text = Ellipsis.truncate(part.text, to: columns - (index == 0 ? 0 : Self.indent))
      let width = DisplayWidth.columns(of: text)
      // The name follows the handle closely.
      let gap = index == 0 ? 0 : part.color == nil && handle != nil ? 1 : 2
      if used + gap + width > columns {
        endLine()
        appendIndentation()
        used = Self.indent
      } else {
        appendBlanks(gap)
        used += gap
      }
      begin(part.color)
      appendPlain(text)
      end(part.color)
      used += width
    }
    endLine()
  }

  /// Returns the age of a post with its local time: "5 min ago, 11:55", "6 d ago, Sat 09:12",
  /// "2026-11-13 09:12".
  private func age(of date: Date?, isFuture: Bool) -> String {
    guard let date, RFC3339.canWrite(date), let local = local(date),
      let today = self.local(style.now)
    else { return "undated" }
    let moment = "\(local.day) \(local.clock)"
    if isFuture { return "in the future, \(moment)" }
    let seconds = style.now.timeIntervalSince(date)
    let near = local.day == today.day ? "\(local.clock)" : "\(local.weekday) \(local.clock)"
    switch seconds {
    // Clocks differ slightly.
    case -Merge.toleratedLead..<60: return "just now, \(near)"
    case 60..<3_600: return "\(Int(seconds / 60)) min ago, \(near)"
    case 3_600..<86_400: return "\(Int(seconds / 3_600)) h ago, \(near)"
    case 86_400..<604_800: return "\(Int(seconds / 86_400)) d ago, \(near)"
    default: return moment
    }
  }

  private func local(_ date: Date) -> LocalMoment? {
    LocalMoment(date, offset: style.zoneOffset(date))
  }

  // MARK: The body

  /// Appends title and text, wrapped, and cut after a number of lines.
  private mutating func appendBody(of post: borrowing Post, within columns: Int) {
    if sought.tags != post.tags { sought = (post.tags, SoughtWords(tags: post.tags)) }
    let layout = BodyLayout(
      columns: columns, usesLinks: style.usesLinks, words: sought.words)
    let shown = post.textAfterWarning
    let isOne = post.title.map { Self.isSame($0, shown) } ?? false
    let parts: [(lines: [BodyLayout.Line], color: TextColor?)] = [
      (post.title.map(layout.lines) ?? [], .bold),
      (PostWords.warning(post).map(layout.lines) ?? [], .red),
      (isOne ? [] : layout.lines(of: shown), nil),
      (PostWords.poll(post).flatMap(layout.lines), nil),
    ]
    let count = parts.reduce(0) { $0 + $1.lines.count }
    var room = style.isFull || count <= Self.mostLines ? count : Self.mostLines - 1
    let hidden = count - room
    for part in parts {
      for line in part.lines.prefix(room) { append(line, color: part.color) }
      room = max(room - part.lines.count, 0)
    }
    guard hidden > 0 else { return }
    appendIndentation()
    begin(.gray)
    appendPlain("… \(hidden) more lines")
    end()
    endLine()
  }

  private mutating func append(_ line: BodyLayout.Line, color: TextColor?) {
    guard !line.text.isEmpty else { return endLine() }
    appendIndentation()
    var start = line.text.startIndex
    for span in line.spans {
      append(line.text[start..<span.range.lowerBound], color: color)
      switch span.emphasis {
      case .match:
        append(line.text[span.range], color: color == nil ? .bold : .underlinedBold)
      case .link(let target):
        appendLink(to: target)
        append(line.text[span.range], color: color)
        appendLinkEnd()
      }
      start = span.range.upperBound
    }
    append(line.text[start...], color: color)
    endLine()
  }

  private mutating func append(_ text: Substring, color: TextColor?) {
    guard !text.isEmpty else { return }
    begin(color)
    block.append(String(text))
    end(color)
  }

  /// True if a title and a text are the same, apart from spaces.
  private static func isSame(_ title: String, _ text: String) -> Bool {
    // Most differ in their first letters, and are told apart without being split.
    guard title.utf8.count >= text.utf8.count / 2,
      title.first == text.first(where: { !$0.isWhitespace })
        || title.first?.isWhitespace == true
    else { return false }
    return title.split(whereSeparator: \.isWhitespace)
      .elementsEqual(text.split(whereSeparator: \.isWhitespace))
  }

  /// Appends the lines of a text, indented, so that none looks like the header of a post.
  private mutating func appendBody(_ text: String, color: TextColor?) {
    var text = text
    text.withUTF8 { appendBody($0, color: color) }
  }

  private mutating func appendBody(_ text: UnsafeBufferPointer<UInt8>, color: TextColor?) {
    guard let end = text.lastIndex(where: { $0 != UInt8(ascii: " ") }) else { return }
    let before = block.count
    appendIndentation()
    begin(color)
    if ControlCodes.appendWhole(UnsafeBufferPointer(rebasing: text[...end]), to: &block) {
      self.end(color)
      return endLine()
    }
    block.removeAll(after: before)
    scratch.removeAll(keepingCapacity: true)
    ControlCodes.append(text, isSingleLine: false, to: &scratch)
    while let last = scratch.last, last == UInt8(ascii: "\n") || last == UInt8(ascii: " ") {
      scratch.removeLast()
    }
    var start = scratch.firstIndex { $0 != UInt8(ascii: "\n") } ?? scratch.endIndex
    guard start < scratch.endIndex else { return }
    while let end = lineEnd(from: start) {
      appendIndented(scratch[start..<end], color: color)
      start = end + 1
    }
    appendIndented(scratch[start...], color: color)
  }

  private func lineEnd(from start: Int) -> Int? {
    scratch.withUnsafeBufferPointer { ByteSearch.first(UInt8(ascii: "\n"), in: $0, from: start) }
  }

  private mutating func appendIndented(_ line: ArraySlice<UInt8>, color: TextColor?) {
    line.withUnsafeBufferPointer { appendIndented($0, color: color) }
  }

  private mutating func appendIndented(_ line: UnsafeBufferPointer<UInt8>, color: TextColor?) {
    if !line.isEmpty {
      appendIndentation()
      begin(color)
      block.append(line)
      end(color)
    }
    endLine()
  }

  // MARK: The footer

  private mutating func appendFooter(of post: PostValues) {
    appendTopics(of: post)
    let record = post.record
    if !record.attachments.isEmpty { append(post.whole.attachments) }
    appendCounts(record.counts)
    if !record.url.isEmpty {
      let url = post.texts[record.url]
      if style.columns != nil || style.usesLinks {
        appendAddress(String(decoding: url, as: UTF8.self))
      } else {
        appendIndentation()
        begin(.gray)
        appendLine(url)
        end()
        endLine()
      }
    }
    guard post.hasCopies else { return }
    var names: [String] = []
    for copy in post.also where !names.contains(copy.source.rawValue) {
      names.append(copy.source.rawValue)
    }
    appendFaint("also on \(names.joined(separator: ", "))")
  }

  /// Appends `topics: swift, C++`: those that the post does not show elsewhere.
  private mutating func appendTopics(of post: PostValues) {
    var words: [UInt8] = []
    PostWords.forEachHiddenTopic(of: post) { topic in
      words += words.isEmpty ? "topics: ".utf8 : ", ".utf8
      words += topic
    }
    if !words.isEmpty { words.withUnsafeBufferPointer { appendFaint($0) } }
  }

  /// Appends `2 pictures`, and for each its description and its address.
  private mutating func append(_ attachments: [PostAttachment]) {
    appendFaint(PostWords.attachments(attachments))
    let most = style.columns == nil || style.isFull ? attachments.count : Self.mostAttachments
    for attachment in attachments.prefix(most) {
      if let description = attachment.description { appendFaint(description, mark: "- ") }
      appendAddress(attachment.url, mark: attachment.description == nil ? "- " : "  ")
    }
    if attachments.count > most { appendFaint("… \(attachments.count - most) more") }
  }

  private mutating func appendCounts(_ counts: Counts) {
    guard style.columns == nil else {
      if let words = PostWords.counts(counts) { appendFaint(words) }
      return
    }
    guard PostWords.hasCounts(counts) else { return }
    appendIndentation()
    begin(.gray)
    PostWords.append(counts, to: &block)
    end()
    endLine()
  }

  private mutating func appendFaint(_ text: String, mark: String = "") {
    appendIndentation()
    begin(.gray)
    if let columns = style.columns {
      appendLine(Ellipsis.truncate("\(mark)\(text)", to: columns - Self.indent))
    } else {
      appendPlain(mark)
      appendLine(text)
    }
    end()
    endLine()
  }

  private mutating func appendFaint(_ text: UnsafeBufferPointer<UInt8>) {
    guard style.columns == nil else {
      appendFaint(String(decoding: text, as: UTF8.self))
      return
    }
    appendIndentation()
    begin(.gray)
    appendLine(text)
    end()
    endLine()
  }

  /// Appends an address: shortened where a link carries the whole of it.
  private mutating func appendAddress(_ url: String, mark: String = "") {
    appendIndentation()
    appendPlain(mark)
    // A link's target is part of a control string, which anything but visible ASCII could end.
    let isLink = style.usesLinks && Markup.isSafeAddress(url)
    if isLink { appendLink(to: url) }
    begin(.gray)
    let room = isLink ? style.columns.map { $0 - Self.indent - mark.utf8.count } : nil
    appendLine(room.map { Ellipsis.truncate(url, to: $0) } ?? url)
    end()
    if isLink { appendLinkEnd() }
    endLine()
  }

  private mutating func appendLink(to address: String) {
    appendPlain("\u{1B}]8;;\(address)\u{1B}\\")
  }

  private mutating func appendLinkEnd() { appendPlain("\u{1B}]8;;\u{1B}\\") }

  // MARK: Pieces

  /// Appends a remote text on the current line.
  private mutating func appendLine(_ text: String) {
    ControlCodes.append(text, isSingleLine: true, to: &block)
  }

  private mutating func appendLine(_ text: UnsafeBufferPointer<UInt8>) {
    ControlCodes.append(text, isSingleLine: true, to: &block)
  }

  private mutating func appendPlain(_ text: String) { block.append(text) }

  private mutating func appendGap() { block.append("  " as StaticString) }

  private mutating func appendIndentation() { block.append(Self.indentation) }

  private mutating func appendBlanks(_ count: Int) {
    if count > 0 { block.append(UInt8(ascii: " "), times: count) }
  }

  private mutating func begin(_ color: @autoclosure () -> TextColor?) {
    if style.usesColor, let color = color() { appendPlain(color.sequence) }
  }

  private mutating func end(_ color: TextColor? = .bold) {
    if style.usesColor, color != nil { appendPlain(TextColor.end) }
  }
}
