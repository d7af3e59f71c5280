internal import Application

/// The man page, in the language of roff (man(7)).
struct ManualPage {
  private let root: CommandOutline

  init(of root: CommandOutline) { self.root = root }

  /// The page as a whole.
  var text: String {
    var page = RoffText()
    page.lines.append(
      #".TH SEARCHAGG 1 \#(Version.date) "searchagg \#(Version.number)" "User Commands""#)
    // Commands are copied from it: no hyphen is added to a word, and no blank to a line.
    page.lines += [".nh", ".ad l"]
    page.section("NAME")
    page.lines.append(#"searchagg \- gather what is said about your tags on many networks"#)
    page.section("SYNOPSIS")
    for command in commands { page.verbatim(command.synopsis) }
    page.section("DESCRIPTION")
    page.paragraph(root.abstract)
    page.paragraph(
      "Without an account, and with nothing configured, searchagg run QUERY searches every network that "
        + "needs no credentials or configuration.")
    page.section("OPTIONS")
    for command in commands { add(command, to: &page) }
    add(.exitCodes, as: "EXIT STATUS", to: &page)
    add(.environment, as: "ENVIRONMENT", to: &page)
    page.section("FILES")
    for (path, text) in Self.files { page.entry(path, text) }
    add(.recipes, as: "EXAMPLES", to: &page)
    for topic in HelpTopic.allCases where !Self.named.contains(topic) {
      add(topic, as: topic.rawValue.uppercased().replacing("-", with: " "), to: &page)
    }
    page.section("SEE ALSO")
    page.lines += [".BR curl (1),", ".BR jq (1),", ".BR sqlite3 (1)"]
    page.paragraph("https://github.com/searchagg/searchagg")
    return page.lines.joined(separator: "\n") + "\n"
  }

  /// The pages of help that are sections which every man page has.
  private static let named: [HelpTopic] = [.exitCodes, .environment, .recipes]

  private static let files = [
    ("./tags.json", "The tags of this folder, which take precedence over your own."),
    ("~/.config/searchagg/tags.json", "Your own tags."),
    ("./searchagg.json", "Settings of this folder; what is personal is ignored there."),
    ("~/.config/searchagg/config.json", "Your settings, servers, sources and channels."),
    ("~/.config/searchagg/credentials.json", "Your credentials, which only you can read."),
    ("~/.local/state/searchagg/history.db", "The posts of earlier runs, and what --new printed."),
    (
      "~/.local/state/searchagg/undelivered/",
      "New posts that no command and no channel has taken."
    ),
    ("~/.cache/searchagg/", "Responses of networks, with --cache on."),
  ]

  /// The commands that do something, each with its words.
  private var commands: [CommandOutline] {
    func leaves(_ command: CommandOutline) -> [CommandOutline] {
      command.subcommands.isEmpty ? [command] : command.subcommands.flatMap(leaves)
    }
    return leaves(root)
  }

  private func add(_ command: CommandOutline, to page: inout RoffText) {
    page.subsection(command.words.joined(separator: " "))
    page.paragraph(command.abstract)
    page.add(help: command.discussion)
    var title: String?
    for argument in command.positionals + command.options where argument.names.last != "--help" {
      if argument.section != title, let section = argument.section {
        page.paragraph("\(section.prefix(1).uppercased() + section.dropFirst()):")
      }
      title = argument.section
      page.entry(argument.label, argument.help)
    }
  }

  private func add(_ topic: HelpTopic, as title: String, to page: inout RoffText) {
    page.section(title)
    if topic == .schema {
      page.verbatim(topic.text)
    } else {
      page.add(help: topic.text, below: title)
    }
  }
}

/// A man page under construction: no macro without text that it begins.
private struct RoffText {
  var lines: [String] = []

  mutating func section(_ title: String) { lines.append(".SH \(Self.escaped(title))") }

  mutating func subsection(_ title: String) { lines.append(".SS \(Self.escaped(title))") }

  mutating func paragraph(_ text: some StringProtocol) {
    guard !text.isEmpty else { return }
    begin()
    lines.append(Self.escaped(text))
  }

  /// A term with its explanation.
  mutating func entry(_ label: some StringProtocol, _ text: some StringProtocol) {
    lines += [".TP", ".B \(Self.escaped(label))", Self.escaped(text)]
  }

  /// Lines that are printed as they are.
  mutating func verbatim(_ text: some StringProtocol) {
    if lines.last == ".fi" {
      lines.removeLast()
    } else {
      begin()
      lines.append(".nf")
    }
    for line in text.split(separator: "\n") { lines.append(Self.escaped(line)) }
    lines.append(".fi")
  }

  /// Lines of help, each of them a paragraph, an entry `label    text` or, indented, as it is.
  ///
  /// - Parameter title: The section that they are in, which their first heading may repeat.
  mutating func add(help text: String, below title: String? = nil) {
    for line in text.split(separator: "\n") {
      let words = line.drop { $0 == " " }
      if words.isEmpty { continue }
      if line.hasPrefix("    ") {
        verbatim(line)
      } else if let gap = words.firstRange(of: "   ") {
        entry(words[..<gap.lowerBound], words[gap.upperBound...].drop { $0 == " " })
      } else if Self.isHeading(line) {
        if words != title ?? "" { subsection(String(words)) }
      } else {
        paragraph(words)
      }
    }
  }

  /// Begins a paragraph, unless a heading has done so.
  private mutating func begin() {
    if let last = lines.last, !last.hasPrefix(".SH"), !last.hasPrefix(".SS") { lines.append(".PP") }
  }

  /// True for a line without indent whose first word is in capitals, such as `DATES (--since, --until)`.
  private static func isHeading(_ line: Substring) -> Bool {
    let word = line.prefix { $0 != " " }
    return word.count > 2 && word.allSatisfy { $0.isUppercase && $0.isASCII }
  }

  /// Text that roff prints as it is.
  private static func escaped(_ text: some StringProtocol) -> String {
    var plain = String(text).replacing("`", with: "").replacing("\\", with: #"\e"#)
      .replacing("-", with: #"\-"#).replacing("'", with: #"\(aq"#)
      .replacing("\"", with: #"\(dq"#)
    while plain.hasSuffix(" ") { plain.removeLast() }
    return plain.hasPrefix(".") ? #"\&"# + plain : plain
  }
}
