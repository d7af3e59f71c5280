internal import Application
internal import TextFormats

/// A page of help as lines that fit a terminal.
///
/// The text is written with one paragraph a line. A line that begins with four blanks is printed as it is,
/// a command in backticks is never broken, and a line `  name    text` hangs its text in a column.
struct HelpPage {
  /// The width without a terminal, and the widest that is easy to read.
  private static let defaultColumns = 80
  private static let mostColumns = 100
  /// The column of the explanations of options and subcommands.
  private static let labelColumns = 26

  private let text: String

  init(text: String) { self.text = text }

  /// The page of a command.
  init(of command: CommandOutline) {
    var text = "\(command.abstract)\n\nUSAGE: `\(command.synopsis)`\n"
    if !command.discussion.isEmpty { text += "\n\(command.discussion)\n" }
    let sections = command.options.reduce(into: [String]()) { titles, option in
      let title = option.section ?? "options"
      if !titles.contains(title) { titles.append(title) }
    }
    // The general section, which has --help, comes last.
    let titles = sections.filter { $0 != "options" } + sections.filter { $0 == "options" }
    let groups =
      [("arguments", command.positionals)]
      + titles.map { title in
        (title, command.options.filter { ($0.section ?? "options") == title })
      }
    for (title, arguments) in groups where !arguments.isEmpty {
      text += "\n\(title.uppercased()):\n"
      for argument in arguments { text += Self.entry(argument.label, argument.help) }
    }
    if !command.subcommands.isEmpty {
      text += "\nCOMMANDS:\n"
      for child in command.subcommands {
        let isDefault = child.name == command.defaultSubcommand
        text += Self.entry(isDefault ? "\(child.name) (default)" : child.name, child.abstract)
      }
      let words = (["searchagg", "help"] + command.words.dropFirst()).joined(separator: " ")
      text += "\nSee `\(words) <command>` for the help of one command.\n"
    }
    if command.words.count == 1 {
      text += "\nHELP PAGES (`searchagg help <page>`):\n"
      for topic in HelpTopic.allCases { text += Self.entry(topic.rawValue, topic.summary) }
    }
    self.text = text
  }

  /// The page for a terminal of this width; nil without one.
  func lines(columns: Int?) -> String {
    let columns = min(max(columns ?? Self.defaultColumns, 30), Self.mostColumns)
    return text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { Self.wrap($0, to: columns) }.joined(separator: "\n")
  }

  /// A line `  label    text`.
  private static func entry(_ label: String, _ text: String) -> String {
    let indented = "  \(label)"
    let gap = labelColumns - DisplayWidth.columns(of: indented)
    // A shorter gap is not seen as one.
    guard gap >= 3 else {
      return "`\(indented)`\n\(String(repeating: " ", count: labelColumns))\u{0}\(text)\n"
    }
    return "\(indented)\(String(repeating: " ", count: gap))\(text)\n"
  }

  private static func wrap(_ line: Substring, to columns: Int) -> String {
    // A NUL marks the text of an entry whose label has a line of its own.
    let isContinued = line.utf8.contains(0)
    let line = isContinued ? Substring(line.filter { $0 != "\u{0}" }) : line
    if line.hasPrefix("    "), !isContinued { return line.filter { $0 != "`" } }
    let indent = line.prefix { $0 == " " }
    var rest = line[indent.endIndex...]
    var wrapped = String(indent)
    var hanging = indent.count
    if let gap = rest.utf8.firstRange(of: "   ".utf8) {
      // The label stays whole, and the text begins in its column.
      rest = line[gap.lowerBound...].drop { $0 == " " }
      wrapped = line[..<rest.startIndex].filter { $0 != "`" }
      hanging = DisplayWidth.columns(of: wrapped)
    }
    // A narrow terminal is not wide enough for a column.
    let margin = String(repeating: " ", count: min(hanging, columns / 2))
    var used = DisplayWidth.columns(of: wrapped)
    var isFirst = true
    for word in Self.words(of: rest) {
      let width = DisplayWidth.columns(of: word)
      if !isFirst, used + 1 + width > columns {
        wrapped += "\n\(margin)\(word)"
        used = margin.count + width
      } else {
        wrapped += isFirst ? word : " \(word)"
        used += isFirst ? width : width + 1
      }
      isFirst = false
    }
    return wrapped
  }

  /// The words of a text; what is between backticks is one word, without them.
  private static func words(of text: Substring) -> [String] {
    var isCommand = false
    return text.utf8.split { byte in
      if byte == UInt8(ascii: "`") { isCommand.toggle() }
      return byte == UInt8(ascii: " ") && !isCommand
    }.map { Substring($0).filter { $0 != "`" } }.filter { !$0.isEmpty }
  }
}

extension Context {
  /// Writes a page of help to standard output, with one line break at its end.
  func write(page: HelpPage) throws(OutputFailure) {
    var page = page.lines(columns: outputScreen?.columns)[...]
    while page.last?.isNewline == true { page.removeLast() }
    try output.write(Array("\(page)\n".utf8))
  }
}
