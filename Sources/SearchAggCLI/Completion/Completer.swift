internal import Application
internal import SearchEngine
internal import SearchModel
internal import SearchSources
internal import TagStorage
internal import TextFormats

/// Finds the candidates for the last word of a command line.
struct Completer {
  /// The line that makes a script complete names of files.
  private static let files = ":files"

  private let context: Context
  private let root: CommandOutline

  /// - Parameter root: The program and all of its commands.
  init(of root: CommandOutline, in context: Context) {
    self.root = root
    self.context = context
  }

  /// Returns a line for each candidate, its value and after a TAB its explanation.
  ///
  /// - Parameter words: The words after `searchagg`; the last one is to be completed and may be empty.
  func candidates(for words: [String]) -> [String] {
    var words = Self.joiningEquals(words)
    let current = Self.unquoted(words.popLast() ?? "")
    let (command, rest) = root.command(in: words)
    let lines: [String]
    if let last = rest.last, let option = command.option(last), option.valueName != nil {
      lines = values(of: option, for: command, current)
    } else if current.hasPrefix("--"), let equals = current.firstIndex(of: "="),
      let option = command.option(String(current[..<equals]))
    {
      let typed = String(current[current.index(after: equals)...])
      lines = values(of: option, for: command, typed).map { line in
        line == Self.files ? line : current[...equals] + line
      }
    } else if current.hasPrefix("-") {
      lines = command.options.flatMap { option in
        option.names.filter { $0.hasPrefix("--") }.map { "\($0)\t\(option.help)" }
      }
    } else {
      lines = positionals(of: command, after: rest)
    }
    if lines == [Self.files] { return lines }
    return lines.filter { $0.hasPrefix(current) }.compactMap { line in
      let parts = line.split(separator: "\t", maxSplits: 1)
      // A value with control characters must not reach the terminal, so it is not offered.
      guard let value = parts.first, ControlCodes.strippedToLine(String(value)) == value else {
        return nil
      }
      let help = parts.dropFirst().map { "\t\($0.filter { $0 != "`" })" }
      return value + help.joined()
    }
  }

  private func values(
    of option: CommandOutline.Argument, for command: CommandOutline, _ typed: String
  ) -> [String] {
    let name = String((option.names.last ?? "").drop { $0 == "-" })
    if !option.values.isEmpty { return option.values }
    if name == "source" {
      // A list with commas: its last name is completed.
      let list = typed.lastIndex(of: ",").map { typed[...$0] } ?? ""
      return sources.map { "\(list)\($0)" }
    }
    switch Setting.named(name)?.completion {
    case .values(let values): return values
    case .sources: return sources
    case .files, .folders: return [Self.files]
    case .some(.none), nil: return []
    }
  }

  private func positionals(of command: CommandOutline, after rest: ArraySlice<String>) -> [String] {
    if !command.subcommands.isEmpty {
      return rest.isEmpty ? command.subcommands.map { "\($0.name)\t\($0.abstract)" } : []
    }
    if let choice = command.positionals.first, !choice.values.isEmpty { return choice.values }
    switch command.words.dropFirst().joined(separator: " ") {
    case "help":
      let pages = HelpTopic.allCases.map { "\($0.rawValue)\t\($0.summary)" }
      return rest.isEmpty ? pages + root.subcommands.map { "\($0.name)\t\($0.abstract)" } : []
    case "tags remove", "tags edit": return storedTags
    case "tags import": return [Self.files]
    case "sources check": return sources
    case "sources show", "sources add", "sources remove": return networks
    case "sources login", "sources logout": return networksWithSessions
    case "sources enable", "sources disable":
      return KnownSources(declared: []).everyName.filter { Sources.named($0) == nil }
    case "auth set": return (try? Configuration.credentialNames(in: context)) ?? []
    case "auth remove": return (try? CredentialFile(in: context)?.names) ?? []
    default: return []
    }
  }

  // A file that cannot be read gives no candidates; the command itself reports the error.

  private var knownSources: KnownSources {
    let configuration = try? Configuration.personal(in: context)
    return configuration?.knownSources ?? KnownSources(declared: [])
  }

  private var sources: [String] { knownSources.everyName }

  private var networksWithSessions: [String] {
    knownSources.all.filter { source in
      let server = ServerAddress(source.traits.defaultServer ?? "https://social.example")
      return server.map { SessionLogin.isKnown(by: source, at: $0) } ?? false
    }.map(\.name.rawValue)
  }

  /// The names of single networks, without those of subjects.
  private var networks: [String] {
    let knownSources = knownSources
    return knownSources.everyName.filter(knownSources.knows)
  }

  private var storedTags: [String] {
    let list = try? TagsFileOptions().location(in: context).load()
    return (list?.tags ?? []).map(\.query.text)
  }

  /// The words where bash has cut `--source=x` at the equals sign.
  private static func joiningEquals(_ words: [String]) -> [String] {
    var joined: [String] = []
    for (index, word) in words.enumerated() {
      if word == "=", joined.last?.hasPrefix("--") == true {
        if index == words.count - 1 { joined.append("") }
      } else {
        joined.append(word)
      }
    }
    return joined
  }

  /// A word without the quotation mark that it begins with, and without backslashes.
  private static func unquoted(_ word: String) -> String {
    if let first = word.first, first == "'" || first == "\"" { return String(word.dropFirst()) }
    return word.filter { $0 != "\\" }
  }
}
