internal import SafeFiles
internal import SearchModel
internal import TagStorage
internal import TextFormats

/// Where `tags.json` is.
struct TagsFileLocation: Hashable, Sendable {
  /// As people are told.
  let name: String
  /// As it is opened.
  let path: String
  /// The mode of folders that have to be made for it, before the user's mask.
  let folderMode: UInt32
  /// Whether nobody named it: it was found in the current folder, where other programs may have a file
  /// of that name.
  var isFoundInFolder = false

  var store: TagStore {
    TagStore(path: path, folderMode: folderMode, acceptsList: !isFoundInFolder)
  }

  /// The file that the option names, or the environment, or the one in the working directory, or the
  /// user's own; the last need not exist.
  static func find(
    option: String?, in context: Context
  ) throws(CommandFailure) -> TagsFileLocation {
    if let option {
      guard !option.isEmpty else { throw CommandFailure(.usage, "--tags-file names no file") }
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
        .unreadableInput, "no place for tags.json is known: set HOME, or give --tags-file")
    }
    let path = "\(folder)/tags.json"
    // The mode that the XDG Base Directory Specification asks for.
    return TagsFileLocation(name: path, path: path, folderMode: 0o700)
  }

  private static func named(_ name: String, in context: Context) -> TagsFileLocation {
    TagsFileLocation(name: name, path: context.absolutePath(name), folderMode: 0o777)
  }
}

extension TagsFileLocation {
  /// Returns the tags for a run: a file that was named must be there.
  func loadOrFail(isNamed: Bool) throws(CommandFailure) -> TagList {
    if isNamed, !BoundedRead.isThere(path) {
      throw CommandFailure(.unreadableInput, "\(name): no such file")
    }
    return try load()
  }
}

extension TagsFileLocation {
  /// Returns the tags, an empty list when there is no file.
  func load() throws(CommandFailure) -> TagList {
    do throws(TagStoreError) { return try store.load() ?? TagList() } catch {
      throw failure(error)
    }
  }

  /// The same for a command on the tags themselves, which warns of names that are nearly right.
  func load(in context: Context) throws(CommandFailure) -> TagList {
    let list = try load()
    MisspelledNames.warn(of: list, in: self, context)
    return list
  }

  /// Changes the tags; the change says what came of it.
  func change<Outcome>(
    in context: Context, _ change: (TagList) throws(TagChangeRefusal) -> (TagList, Outcome)
  ) throws(CommandFailure) -> Outcome {
    var old = TagList()
    // Once, though a change may be tried before the lock is taken.
    defer { MisspelledNames.warn(of: old, in: self, context) }
    do throws(TagStoreError) {
      return try store.change { list throws(TagChangeRefusal) in
        old = list
        return try change(list)
      }
    } catch { throw failure(error) }
  }

  private func failure(_ error: TagStoreError) -> CommandFailure {
    switch error {
    case .unreadable(let fault):
      if case .tooLarge = fault {
        return CommandFailure(.malformedInput, "\(name): \(fault.reason): not a tags file")
      }
      return CommandFailure(.unreadableInput, "\(name): \(fault.reason)")
    case .unwritable(let fault): return CommandFailure(.cannotWrite, "\(name): \(fault.reason)")
    case .malformed(let fault) where isFoundInFolder:
      return CommandFailure(
        .malformedInput,
        "\(name) is not a searchagg tags file; name another with --tags-file: \(fault)")
    case .malformed(let fault): return CommandFailure(.malformedInput, "\(name): \(fault)")
    case .refused(.present(let queries)):
      return CommandFailure(
        .nothing, "\(queries.shown) \(queries.verb) in \(name) already; nothing is changed")
    case .refused(.absent(let queries)):
      return CommandFailure(
        .nothing, "\(queries.shown) \(queries.verb) not in \(name); nothing is changed")
    }
  }
}

extension Query {
  /// It as a message shows it: not too long.
  var shown: String {
    let text = ControlCodes.strippedToLine(self.text)
    return text.count > 80 ? "\(text.prefix(80))…" : text
  }
}

extension [Query] {
  /// They as a message shows them: the first few by name.
  var shown: String {
    let names = prefix(3).map(\.shown).joined(separator: ", ")
    return count > 3 ? "\(names) and \(count - 3) more" : names
  }

  fileprivate var verb: String { count == 1 ? "is" : "are" }
}
