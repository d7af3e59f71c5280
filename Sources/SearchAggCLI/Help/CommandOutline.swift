internal import Application
internal import ArgumentParser
internal import TextFormats

/// A command with its options, arguments and subcommands, as the parser knows them.
///
/// Help pages, suggestions, completions and the man page are made from it.
struct CommandOutline: Sendable {
  /// An option, or an argument without a name.
  struct Argument: Sendable {
    /// With their dashes, such as `-n` and `--limit`; none for an argument without a name.
    let names: [String]
    /// The name of the value; nil for a switch.
    let valueName: String?
    let help: String
    /// The title of its section of the help; nil for the general one.
    let section: String?
    let isOptional: Bool
    let isRepeating: Bool
    /// The values of a choice.
    let values: [String]

    /// As a help page lists it: `-n, --limit <n>`.
    var label: String {
      let value = valueName.map { "<\($0)>" }
      guard !names.isEmpty else { return value ?? "" }
      return ([names.joined(separator: ", ")] + [value].compactMap(\.self)).joined(separator: " ")
    }
  }

  /// The words that call it, `searchagg` first.
  let words: [String]
  let abstract: String
  /// The text below the synopsis, with commands in backticks.
  let discussion: String
  let arguments: [Argument]
  let subcommands: [CommandOutline]
  /// The subcommand that runs when none is named.
  let defaultSubcommand: String?

  var name: String { words.last ?? "" }

  var options: [Argument] { arguments.filter { !$0.names.isEmpty } }

  /// The option of a name, such as `-n`; nil for a name that is unknown.
  func option(_ name: String) -> Argument? { options.first { $0.names.contains(name) } }

  var positionals: [Argument] { arguments.filter(\.names.isEmpty) }

  /// The synopsis: `searchagg tags add [<options>] <query> ...`.
  var synopsis: String {
    var parts = words
    if !subcommands.isEmpty { parts.append(defaultSubcommand == nil ? "<command>" : "[<command>]") }
    parts.append("[<options>]")
    for argument in positionals {
      let label = argument.isRepeating ? "\(argument.label) ..." : argument.label
      parts.append(argument.isOptional ? "[\(label)]" : label)
    }
    return parts.joined(separator: " ")
  }

  /// The subcommand of a name; nil for a name that is unknown.
  func subcommand(_ name: some StringProtocol) -> CommandOutline? {
    subcommands.first { $0.name == name }
  }

  /// The innermost command that words call, and the words that follow.
  func command(in words: [String]) -> (CommandOutline, rest: ArraySlice<String>) {
    var command = self
    var rest = words[...]
    while let word = rest.first, let next = command.subcommand(word) {
      command = next
      rest.removeFirst()
    }
    return (command, rest)
  }

  /// A command and all of its subcommands.
  init(of command: any ParsableCommand.Type) {
    // The parser describes itself as JSON only.
    let dump = try? JSONValue(reading: Array(command._dumpHelp().utf8))
    self.init(dump?["command"] ?? .null, below: [])
  }

  private init(_ value: JSONValue, below parents: [String]) {
    let words = parents + [value.text("commandName") ?? ""]
    self.words = words
    abstract = value.text("abstract") ?? ""
    discussion = value.text("discussion") ?? ""
    defaultSubcommand = value.text("defaultSubcommand")
    arguments = value.list("arguments").filter { $0["shouldDisplay"] != .bool(false) }
      .map(Argument.init)
    // The parser adds a command for help; ours comes first.
    var names: Set<String> = []
    subcommands = value.list("subcommands").filter { $0["shouldDisplay"] != .bool(false) }
      .map { CommandOutline($0, below: words) }
      .filter { names.insert($0.name).inserted }
  }
}

extension CommandOutline.Argument {
  fileprivate init(_ value: JSONValue) {
    let kind = value.text("kind")
    names = value.list("names").compactMap { name in
      name.text("name").map { name.text("kind") == "short" ? "-\($0)" : "--\($0)" }
    }.sorted { $0.count < $1.count }
    valueName = kind == "flag" ? nil : value.text("valueName")
    let fallback = value.text("defaultValue").map { "default: \($0)" }
    values = value.list("allValues").compactMap {
      if case .string(let text) = $0 { text } else { nil }
    }
    let notes = [values.isEmpty ? nil : values.inWords("or"), fallback].compactMap(\.self)
    let abstract = value.text("abstract") ?? ""
    help =
      notes.isEmpty ? abstract : "\(abstract.dropLast()) (\(notes.joined(separator: "; ")))."
    section = value.text("sectionTitle")
    isOptional = value["isOptional"] == .bool(true)
    isRepeating = value["isRepeating"] == .bool(true)
  }
}

extension JSONValue {
  fileprivate func list(_ key: String) -> [JSONValue] {
    if case .array(let elements) = self[key] { elements } else { [] }
  }
}
