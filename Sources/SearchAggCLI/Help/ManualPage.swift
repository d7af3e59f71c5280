internal import Application

/// The man page, in the language of roff (man(7)).
struct ManualPage {
  private static let topics: [HelpTopic] = [
    .exitCodes, .environment, .config, .formats, .dates, .queries, .jsonSources,
  ]

  private let root: CommandOutline

  init(of root: CommandOutline) { self.root = root }

  /// The page as a whole.
  var text: String {
    var lines = [
      #".TH SEARCHAGG 1 "" "searchagg \#(Version.number)" "User Commands""#,
      ".SH NAME", #"searchagg \- gather what is said about your tags on many networks"#,
      ".SH SYNOPSIS",
    ]
    for command in commands { lines += [".nf", Self.escaped(command.synopsis), ".fi"] }
    lines += [".SH DESCRIPTION", Self.escaped(root.abstract)]
    for command in commands { lines += section(of: command) }
    for topic in Self.topics {
      lines += [".SH \(topic.summary.uppercased())"] + Self.paragraphs(topic.text)
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The commands that do something, each with its words.
  private var commands: [CommandOutline] {
    func leaves(_ command: CommandOutline) -> [CommandOutline] {
      command.subcommands.isEmpty ? [command] : command.subcommands.flatMap(leaves)
    }
    return leaves(root)
  }

  private func section(of command: CommandOutline) -> [String] {
    var lines = [".SH \(command.words.joined(separator: " ").uppercased())"]
    lines.append(Self.escaped(command.abstract))
    lines += Self.paragraphs(command.discussion)
    var title: String?
    for argument in command.positionals + command.options where argument.names.last != "--help" {
      if argument.section != title, let section = argument.section {
        lines.append(".SS \(section.capitalized())")
      }
      title = argument.section
      lines += [".TP", ".B \(Self.escaped(argument.label))", Self.escaped(argument.help)]
    }
    return lines
  }

  /// The lines of a page of help, each of them a paragraph.
  private static func paragraphs(_ text: String) -> [String] {
    var lines: [String] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let words = line.drop { $0 == " " }
      if words.isEmpty {
        lines.append(".PP")
      } else if line.hasPrefix("    ") {
        lines += [".nf", escaped(line), ".fi"]
      } else if let gap = words.firstRange(of: "   ") {
        let label = words[..<gap.lowerBound]
        lines += [
          ".TP", ".B \(escaped(label))", escaped(words[gap.upperBound...].drop { $0 == " " }),
        ]
      } else if !line.hasPrefix(" "), words == words.uppercased() {
        lines.append(".SS \(escaped(words))")
      } else {
        lines += [".PP", escaped(words)]
      }
    }
    return lines
  }

  /// Text that roff prints as it is.
  private static func escaped(_ text: some StringProtocol) -> String {
    let plain = String(text).replacing("`", with: "").replacing("\\", with: #"\e"#)
      .replacing("-", with: #"\-"#).replacing("'", with: #"\(aq"#)
    return plain.hasPrefix(".") ? #"\&"# + plain : plain
  }
}

extension String {
  /// The text with its first letter in upper case.
  fileprivate func capitalized() -> String { prefix(1).uppercased() + dropFirst() }
}
