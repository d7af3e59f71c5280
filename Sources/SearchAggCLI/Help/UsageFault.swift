internal import Application
internal import Printing

/// A mistake in a command line.
///
/// The parser's own message repeats the help of the option and the synopsis of the command, five lines
/// in all, and suggests options that have little in common with the one that was typed.
struct UsageFault {
  /// Commands as other programs name them, by the command that they are typed after.
  static let otherCommands: [String: [String: String]] = [
    "searchagg": [
      "search": "run", "find": "run", "query": "run", "get": "run", "fetch": "run",
      "start": "run", "follow": "watch", "tail": "watch", "monitor": "watch", "poll": "watch",
      "daemon": "watch", "webhook": "notify", "channels": "notify", "add": "tags add",
      "remove": "tags remove", "rm": "tags remove",
      "delete": "tags remove", "edit": "tags edit", "list": "tags list", "ls": "tags list",
      "import": "tags import", "export": "tags export", "login": "sources login",
      "check": "sources check", "doctor": "sources check", "networks": "sources",
      "version": "--version",
    ],
    "searchagg tags": [
      "ls": "list", "show": "list", "rm": "remove", "delete": "remove", "del": "remove",
      "new": "add", "create": "add", "change": "edit", "update": "edit", "set": "edit",
    ],
    "searchagg sources": [
      "ls": "list", "test": "check", "ping": "check", "info": "show", "rm": "remove",
    ],
    "searchagg config": [
      "list": "show", "ls": "show", "get": "show", "set": "path", "edit": "path",
    ],
    "searchagg auth": ["login": "set", "add": "set", "ls": "list", "rm": "remove"],
    "searchagg history": ["clear": "delete", "rm": "delete", "clean": "prune", "ls": "list"],
  ]

  /// Options of `run` as other programs name them, with the command that is meant.
  static let commandsForOptions: [String: String] = [
    "--watch": "searchagg watch", "--follow": "searchagg watch", "--tail": "searchagg watch",
    "--every": "searchagg watch --every", "--interval": "searchagg watch --every",
    "--for": "searchagg watch --for",
  ]

  /// Options as other programs name them, with ours for `run` and `watch`.
  static let otherOptions: [String: String] = [
    "--no-color": "--color never", "--no-colour": "--color never", "--colour": "--color",
    "--no-progress": "--progress never", "--no-cache": "--cache off", "--count": "--count-by",
    "--since-last": "--new", "--interval": "--every", "--webhook": "--notify", "--hook": "--exec",
    "--command": "--exec",
    "--jsonl": "--format ndjson", "--ndjson": "--format ndjson", "--csv": "--format csv",
    "--html": "--format html", "--markdown": "--format markdown", "--atom": "--format atom",
    "-f": "--format", "-s": "--source", "-t": "--tags-file",
    "--num": "--limit", "--number": "--limit", "--max": "--limit", "--max-results": "--limit",
    "--head": "--limit", "--top": "--limit", "--after": "--since",
    "--start": "--since", "--start-time": "--since", "--before": "--until", "--to": "--until",
    "--end": "--until", "--end-time": "--until", "--language": "--lang", "--locale": "--lang",
    "--network": "--source", "--networks": "--source", "--sources": "--source",
    "--site": "--source", "--engine": "--source", "--engines": "--source", "--threads": "--jobs",
    "--parallel": "--jobs", "--concurrency": "--jobs", "--workers": "--jobs",
    "--silent": "--quiet", "--debug": "--verbose", "--out": "--output", "--file": "--output",
    "--out-file": "--output", "--output-file": "--output", "--no-retweets": "--no-reposts",
    "--no-boosts": "--no-reposts", "--simulate": "--dry-run", "--preview": "--dry-run",
    "--reverse": "--sort oldest", "--oldest-first": "--sort oldest", "--sort-by": "--sort",
    "--order": "--sort", "--order-by": "--sort",
    "--dedup": "--dedupe link", "--unique": "--dedupe link", "--ignore": "--exclude",
    "--retry": "--retries", "--tags": "--tags-file",
    "--min-faves": "--min-likes", "--likes": "--min-likes", "--configuration": "--config",
    "--config-file": "--config", "--pages": "--max-pages", "--budget": "--max-cost",
  ]

  /// Options of other programs, with their equivalents here.
  static let otherWays: [String: String] = {
    let author = "to search for an author, write from:NAME in the query"
    let server =
      "name a network's servers in the configuration, or in a variable such as "
      + "SEARCHAGG_MASTODON_URL"
    return [
      "--from": author, "--user": author, "--author": author, "--server": server,
      "--instance": server, "--host": server,
    ]
  }()

  /// The longest option that is compared with others, which takes the product of their lengths.
  private static let longestName = 64

  /// The fault, a suggestion, and the command that shows the help.
  let line: String

  /// - Parameters:
  ///   - message: The parser's message.
  ///   - root: The program and all of its commands.
  init(of arguments: [String], _ message: String, for root: CommandOutline) {
    var (command, rest) = root.command(in: arguments)
    // `mute @amy` is short for `mute add @amy`: its options are at fault, not the word.
    if let name = command.defaultSubcommand, rest.first?.hasPrefix("@") == true,
      let meant = command.subcommands.first(where: { $0.name == name }), !meant.positionals.isEmpty
    {
      command = meant
    }
    let help = (command.words + ["--help"]).joined(separator: " ")
    var line: String
    if let word = rest.first, !word.hasPrefix("-"), !command.subcommands.isEmpty {
      line = Self.unknownCommand(word, after: command, in: arguments)
    } else {
      line =
        Self.negativeValue(in: rest, message) ?? Self.excludedWord(in: rest, message, command)
        ?? Self.queryWithHyphen(in: rest, message, command) ?? Self.words(of: message, for: command)
    }
    line += line.hasSuffix("?") ? " See: " : "; see: "
    self.line = line + help
  }

  /// The fault of an option that is too long to be compared with others; nil without one.
  ///
  /// The parser compares each unknown option with all that it knows, which takes seconds for a long one.
  static func overlongOption(in arguments: [String]) -> String? {
    for word in arguments.prefix(while: { $0 != "--" }) where word.hasPrefix("-") {
      let name = word.prefix { $0 != "=" }
      guard name.utf8.count > longestName else { continue }
      return "unknown option '\(name.prefix(longestName))…' (\(name.count) characters)"
    }
    return nil
  }

  /// The fault of `run --json id,url`, which names fields as GitHub's `gh` has it; nil without one.
  ///
  /// The list would be searched for, and nothing found.
  static func fieldsAfterJSON(in arguments: [String]) -> String? {
    let words = arguments.prefix { $0 != "--" }
    guard words.first == "run" else { return nil }
    for (index, word) in words.enumerated() where word == "--json" || word.hasPrefix("--json=") {
      let list = word == "--json" ? words.dropFirst(index + 1).first : String(word.dropFirst(7))
      // A single name may be a query.
      guard let list, list.contains(","), (try? FieldSelection(parsing: list)) != nil else {
        continue
      }
      return "--json takes no fields; to choose them: --json --fields \(list)"
    }
    return nil
  }

  /// `-n -5` and `--since -1d`, where the parser takes the value for an option.
  private static func negativeValue(in words: ArraySlice<String>, _ message: String) -> String? {
    guard message.hasPrefix("Missing value for") else { return nil }
    for (option, value) in zip(words, words.dropFirst())
    where message.contains("'\(option)") && value.hasPrefix("-") {
      let amount = value.dropFirst()
      if Int(amount) != nil { return "\(option) \(value): must not be negative" }
      if amount.first.map({ $0.isASCII && $0.isNumber }) == true {
        return "\(option) \(value): write it without the hyphen: \(option) \(amount)"
      }
    }
    return nil
  }

  /// `tags add -taylor`, where the parser takes the query for an option.
  private static func queryWithHyphen(
    in words: ArraySlice<String>, _ message: String, _ command: CommandOutline
  ) -> String? {
    guard command.words.contains("tags"),
      command.positionals.contains(where: { $0.valueName == "query" }),
      let query = words.first(where: { word in
        (isExcludedWord(word) || word.hasPrefix("-") && word.contains(" "))
          && (message.contains("'\(word)'") || message.hasPrefix("Missing expected"))
      })
    else { return nil }
    return "'\(query)' looks like an option; write -- before a query that begins with a hyphen: "
      + "\(command.words.joined(separator: " ")) -- \(ShellWord.quoted(query))"
  }

  /// `run swift -taylor`, where a word that is excluded is not part of a quoted query.
  private static func excludedWord(
    in words: ArraySlice<String>, _ message: String, _ command: CommandOutline
  ) -> String? {
    guard ["run", "watch"].contains(command.name), message.hasPrefix("Unknown option '-"),
      let word = words.first(where: { isExcludedWord($0) && message.contains("'\($0)'") })
    else { return nil }
    let sought = arguments(in: words.prefix { $0 != word }, of: command)
    let query = ((sought.isEmpty ? ["WORD"] : sought) + [word]).joined(separator: " ")
    return "unknown option '\(word)'; to leave out posts with that word, quote the query: "
      + "\(command.words.joined(separator: " ")) \(ShellWord.quoted(query))"
  }

  /// The words that are neither options nor their values.
  private static func arguments(
    in words: ArraySlice<String>, of command: CommandOutline
  ) -> [String] {
    var arguments: [String] = []
    var rest = words
    while let word = rest.popFirst() {
      guard word.hasPrefix("-") else {
        arguments.append(word)
        continue
      }
      if command.option(word)?.valueName != nil { rest = rest.dropFirst() }
    }
    return arguments
  }

  /// True if a word begins with a single dash and is longer than any short option.
  private static func isExcludedWord(_ word: String) -> Bool {
    word.hasPrefix("-") && !word.hasPrefix("--") && word.count > 3
      && word.dropFirst().allSatisfy { $0.isLetter || $0 == "#" || $0 == "_" }
  }

  private static func unknownCommand(
    _ word: String, after command: CommandOutline, in arguments: [String]
  ) -> String {
    let words = command.words.joined(separator: " ")
    let known = command.subcommands.map(\.name)
    let meant =
      otherCommands[words]?[word.lowercased()] ?? Suggestion.nearest(to: word, among: known)
    let rest = arguments.dropFirst(command.words.count).map(ShellWord.quoted)
    if let meant {
      let (found, _) = command.command(in: meant.split(separator: " ").map(String.init))
      let takesWords = !found.positionals.isEmpty || rest.first?.hasPrefix("-") == true
      let line = ([words, meant] + (takesWords ? rest : [])).joined(separator: " ")
      return "unknown command '\(word)'; did you mean '\(line)'?"
    }
    if command.words.count == 1 {
      let line = ([words, "run", ShellWord.quoted(word)] + rest).joined(separator: " ")
      return "unknown command '\(word)'; to search for it: \(line)"
    }
    return "unknown command '\(word)' (known: \(known.joined(separator: ", ")))"
  }

  /// The parser's message as a part of a line, with suggestions of our own.
  private static func words(of message: String, for command: CommandOutline) -> String {
    // A message begins with "Unknown option '--name'", or names an option and a value in quotes.
    let quotes = message.split(separator: "'", omittingEmptySubsequences: false)
    if message.hasPrefix("Unknown option"), quotes.count > 1 {
      let option = String(quotes[1])
      let refusal = "unknown option '\(option)'"
      if ["run", "watch"].contains(command.name), let way = otherWays[option.lowercased()] {
        return "\(refusal); \(way)"
      }
      return meant(by: option, for: command).map { "\(refusal); did you mean '\($0)'?" } ?? refusal
    }
    let text = message.replacing(". Did you", with: "; did you")
      .replacing(". Please provide", with: "; expected").replacing(
        "Missing expected", with: "missing")
    var line = text.prefix(1).lowercased() + text.dropFirst()
    if line.hasSuffix(".") { line.removeLast() }
    if message.hasPrefix("The value"), quotes.count > 3,
      let option = command.options.first(where: { quotes[3].hasPrefix($0.names.last ?? "'") }),
      let value = Suggestion.nearest(to: String(quotes[1]), among: option.values)
    {
      return "\(option.names.last ?? ""): unknown value '\(quotes[1])'; did you mean '\(value)'?"
    }
    return line
  }

  private static func meant(by option: String, for command: CommandOutline) -> String? {
    let name = option.prefix { $0 != "=" }.lowercased()
    if command.name == "run", let meant = commandsForOptions[name] { return meant }
    if ["run", "watch"].contains(command.name), let other = otherOptions[name],
      command.option(String(other.prefix { $0 != " " })) != nil
    {
      return other
    }
    return Suggestion.nearest(
      to: String(name), among: command.options.flatMap(\.names).filter { $0.hasPrefix("--") })
  }
}
