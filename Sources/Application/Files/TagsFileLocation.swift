internal import SafeFiles
package import SearchModel
package import SharedHistory
package import TagStorage
internal import TextFormats

/// The path of `tags.json`.
package struct TagsFileLocation: Hashable, Sendable {
  /// The path as messages show it.
  package let name: String
  /// The path to open.
  package let path: String
  /// The mode of folders that have to be made for it, before the user's mask.
  package let folderMode: UInt32
  /// True if nothing names it: it was found in the current folder, where other programs may keep a file
  /// of the same name.
  package var isFoundInFolder = false
  /// The database that holds the tags of a team, in place of a file.
  package var address: SharedAddress?

  package var store: TagStore {
    TagStore(path: path, folderMode: folderMode, acceptsList: !isFoundInFolder)
  }

  package init(
    name: String, path: String, folderMode: UInt32, isFoundInFolder: Bool = false,
    address: SharedAddress? = nil
  ) {
    self.name = name
    self.path = path
    self.folderMode = folderMode
    self.isFoundInFolder = isFoundInFolder
    self.address = address
  }
}

extension TagsFileLocation {
  /// Returns the tags for a run: a file that was named must exist.
  package func loadOrFail(isNamed: Bool) throws -> TagList {
    if isNamed, address == nil, !BoundedRead.isThere(path) {
      throw CommandFailure(.unreadableInput, "\(name): no such file")
    }
    return try load()
  }

  /// Returns the tags; an empty list if the file does not exist.
  package func load() throws -> TagList {
    if let address { return try Self.load(from: address) }
    return try naming { try store.load() ?? TagList() }
  }

  /// Changes the tags and returns the result of the change.
  package func change<Outcome>(
    _ change: (TagList) throws -> (TagList, Outcome)
  ) throws -> Outcome {
    try naming {
      if let address { return try Self.change(at: address, change) }
      return try store.change(change)
    }
  }

  /// A line for each unknown key of a list of tags that resembles a known one, without duplicates.
  package func misspellings(in list: TagList) -> [String] {
    var told: Set<String> = []
    return list.unknownKeys.compactMap { key in
      guard told.insert(key.name).inserted,
        let meant = Suggestion.nearest(to: key.name, among: key.known)
      else { return nil }
      return "\(name): \(key.place): unknown key '\(key.name)'; did you mean '\(meant)'?"
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
  package var shown: String {
    let text = ControlCodes.strippedToLine(self.text)
    return text.count > 80 ? "\(text.prefix(80))…" : text
  }
}

extension [Query] {
  /// The queries as a message shows them: the first few by name.
  package var shown: String {
    let names = prefix(3).map(\.shown).joined(separator: ", ")
    return count > 3 ? "\(names) and \(count - 3) more" : names
  }

  fileprivate var verb: String { count == 1 ? "is" : "are" }
}

/// The tags of a team, in a database instead of a file.
extension TagsFileLocation {
  private static func load(from address: SharedAddress) throws -> TagList {
    let entries = try SharedTags(at: address).entries()
    return try Application.naming(address.name) { try TagList(entries: entries) }
  }

  /// Changes the tags, while nobody else does, and returns the result of the change.
  private static func change<Outcome>(
    at address: SharedAddress, _ change: (TagList) throws -> (TagList, Outcome)
  ) throws -> Outcome {
    let result: Result<Outcome, any Error> = try SharedTags(at: address).change { entries in
      do {
        let old = try TagList(entries: entries)
        let (new, outcome) = try change(old)
        return (new == old ? nil : new.entries, .success(outcome))
      } catch {
        return (nil, .failure(error))
      }
    }
    return try result.get()
  }
}
