internal import Application
internal import PostHistory
internal import SharedHistory
internal import TagStorage
internal import TextFormats

/// The tags of a team, in a database instead of a file.
extension TagsFileLocation {
  static func load(from address: SharedAddress) throws -> TagList {
    let entries = try stating { () throws(HistoryError) in
      try SharedTags(at: address).entries()
    }
    return try naming(address.name) { try TagList(entries: entries) }
  }

  /// Changes the tags, while nobody else does, and returns the result of the change.
  static func change<Outcome>(
    at address: SharedAddress, _ change: (TagList) throws(TagChangeRefusal) -> (TagList, Outcome)
  ) throws -> Result<Outcome, TagStoreError> {
    try stating { () throws(HistoryError) in
      try SharedTags(at: address).change { entries in
        let old: TagList
        do throws(DocumentError) { old = try TagList(entries: entries) } catch {
          return (nil, .failure(.malformed(error)))
        }
        do throws(TagChangeRefusal) {
          let (new, outcome) = try change(old)
          return (new == old ? nil : new.entries, .success(outcome))
        } catch {
          return (nil, .failure(.refused(error)))
        }
      }
    }
  }

  /// Turns the database's errors into those of a command.
  private static func stating<Value>(_ body: () throws(HistoryError) -> Value) throws -> Value {
    do throws(HistoryError) { return try body() } catch {
      throw CommandFailure(error.status, "\(error)")
    }
  }
}
