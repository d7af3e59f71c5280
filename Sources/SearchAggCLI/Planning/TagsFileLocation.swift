internal import Application
internal import SafeFiles
internal import SearchModel
internal import SearchSources
internal import SharedHistory
internal import TagStorage
internal import TextFormats

/// The path of `tags.json`.
struct TagsFileLocation: Hashable, Sendable {
  /// The path as messages show it.
  let name: String
  /// The path to open.
  let path: String
  /// The mode of folders that have to be made for it, before the user's mask.
  let folderMode: UInt32
  /// True if nothing names it: it was found in the current folder, where other programs may keep a file
  /// of the same name.
  var isFoundInFolder = false
  /// The database that holds the tags of a team, in place of a file.
  var address: SharedAddress?

  var store: TagStore {
    TagStore(path: path, folderMode: folderMode, acceptsList: !isFoundInFolder)
  }

  /// Returns the file named by the option or the environment, or the one in the working directory, or
  /// the user's own, which need not exist.
  static func find(
    option: String?, in context: Context
  ) throws -> TagsFileLocation {
    if let option {
      guard !option.isEmpty else { throw CommandFailure(.usage, "--tags-file: expected a file") }
      return named(option, in: context)
    }
    if let variable = context.variable("SEARCHAGG_TAGS_FILE") {
      return named(variable, in: context)
    }
    var local = named("./tags.json", in: context)
    local.isFoundInFolder = true
    if BoundedRead.isThere(local.path) { return local }
    guard let folder = ConfigurationFolder.path(in: context) else {
      throw CommandFailure(
        .unreadableInput, "cannot tell where tags.json is: set HOME, or use --tags-file")
    }
    let path = "\(folder)/tags.json"
    // The mode that the XDG Base Directory Specification asks for.
    return TagsFileLocation(name: path, path: path, folderMode: 0o700)
  }

  private static func named(_ name: String, in context: Context) -> TagsFileLocation {
    if let address = SharedAddress(name) {
      return TagsFileLocation(
        name: address.name, path: address.name, folderMode: 0o777, address: address)
    }
    return TagsFileLocation(name: name, path: context.absolutePath(name), folderMode: 0o777)
  }
}

extension TagsFileLocation {
  /// Returns the tags for a run: a file that was named must exist.
  func loadOrFail(isNamed: Bool) throws -> TagList {
    if isNamed, address == nil, !BoundedRead.isThere(path) {
      throw CommandFailure(.unreadableInput, "\(name): no such file")
    }
    return try load()
  }
}

extension TagsFileLocation {
  /// Returns the tags; an empty list if the file does not exist.
  func load() throws -> TagList {
    if let address { return try Self.load(from: address) }
    return try naming { try store.load() ?? TagList() }
  }

  /// Returns the tags, and warns about names that resemble known ones.
  func load(in context: Context) throws -> TagList {
    let list = try load()
    MisspelledNames.warn(of: list, in: self, context)
    return list
  }

  /// Changes the tags and returns the result of the change.
  func change<Outcome>(
    in context: Context, _ change: (TagList) throws -> (TagList, Outcome)
  ) throws -> Outcome {
    var old = TagList()
    // Only once, although a change may be tried before the lock is taken.
    defer { MisspelledNames.warn(of: old, in: self, context) }
    return try naming {
      let remembering = { (list: TagList) in
        old = list
        return try change(list)
      }
      if let address { return try Self.change(at: address, remembering) }
      return try store.change(remembering)
    }
  }

  /// Runs `body`, whose errors are reported with the name of the file.
  private func naming<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let error as DocumentError where isFoundInFolder {
      throw CommandFailure(
        .malformedInput,
        "\(name) is not a searchagg tags file; name another with --tags-file: \(error)")
    } catch let error as any NameableError {
      throw CommandFailure(of: error, about: name)
    } catch TagChangeRefusal.present(let queries) {
      throw CommandFailure(
        .nothing, "\(queries.shown) \(queries.verb) already in \(name); nothing changed")
    } catch TagChangeRefusal.absent(let queries) {
      throw CommandFailure(
        .nothing, "\(queries.shown) \(queries.verb) not in \(name); nothing changed")
    }
  }
}

extension Query {
  /// The query as a message shows it, shortened.
  var shown: String {
    let text = ControlCodes.strippedToLine(self.text)
    return text.count > 80 ? "\(text.prefix(80))…" : text
  }
}

extension [Query] {
  /// The queries as a message shows them: the first few by name.
  var shown: String {
    let names = prefix(3).map(\.shown).joined(separator: ", ")
    return count > 3 ? "\(names) and \(count - 3) more" : names
  }

  fileprivate var verb: String { count == 1 ? "is" : "are" }
}

/// Unknown names that resemble known ones. Such a typo would silently change what a run does.
enum MisspelledNames {
  private static let prefix = "SEARCHAGG_"

  /// Reports such names in the environment and in a list of tags.
  static func warn(of list: TagList, in location: TagsFileLocation, _ context: Context) {
    let lines = warnings(onVariablesOf: context) + warnings(on: list, in: location.name)
    for line in lines { context.report(line) }
  }

  /// A line for each unknown variable with our prefix, in their order.
  static func unknownVariables(of context: Context) -> [String] {
    unknown(of: context).map { name, nearest in
      "unknown variable \(name)" + (nearest.map { "; did you mean \($0)?" } ?? "")
    }
  }

  /// A line for each variable of the environment that resembles a known one.
  private static func warnings(onVariablesOf context: Context) -> [String] {
    unknown(of: context).compactMap { name, nearest in
      nearest.map { "unknown variable \(name); did you mean \($0)?" }
    }
  }

  private static func unknown(of context: Context) -> [(name: String, nearest: String?)] {
    let given = context.environment.keys.filter { $0.hasPrefix(prefix) }
    guard !given.isEmpty else { return [] }
    let settings = Set(
      Setting.all.compactMap { $0.places.contains(.variable) ? $0.variable : nil })
    // As most are variables of settings, the networks are seldom looked at.
    let others = given.filter { !settings.contains($0) }.sorted()
    guard !others.isEmpty else { return [] }
    let known = settings.union(
      (Sources.all.map(\.name) + Catalog.entries.map(\.name))
        .map(SourceDirectory.addressVariable))
    return others.filter { !known.contains($0) }.map { name in
      (name, Suggestion.nearest(to: name, among: known))
    }
  }

  /// A line for each unknown key of a list of tags, without duplicates.
  private static func warnings(on list: TagList, in name: String) -> [String] {
    var told: Set<String> = []
    return list.unknownKeys.compactMap { key in
      guard told.insert(key.name).inserted,
        let meant = Suggestion.nearest(to: key.name, among: key.known)
      else { return nil }
      return "\(name): \(key.place): unknown key '\(key.name)'; did you mean '\(meant)'?"
    }
  }
}

/// The option that names the file of the tags.
enum TagsFileOption: SettingSelection {
  static let settings = Setting.all.filter { $0.name == "tags-file" }
}

typealias TagsFileOptions = SettingOptions<TagsFileOption>

extension TagsFileOptions {
  /// The file that the option, the environment or the user's configuration names.
  func location(in context: Context) throws -> TagsFileLocation {
    let option = try texts["tags-file"].map { text in
      try HistorySettings.withoutPassword(text, from: .option("tags-file"))
    }
    if option != nil || context.variable("SEARCHAGG_TAGS_FILE") != nil {
      return try TagsFileLocation.find(option: option, in: context)
    }
    let configuration = try Configuration(named: nil, isPersonal: true, in: context)
    return try TagsFileLocation.find(option: configuration.text(of: "tags-file")?.text, in: context)
  }
}
