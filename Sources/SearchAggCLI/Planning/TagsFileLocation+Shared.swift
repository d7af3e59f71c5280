internal import Application
internal import SharedHistory
internal import TagStorage

/// The tags of a team, in a database instead of a file.
extension TagsFileLocation {
  static func load(from address: SharedAddress) throws -> TagList {
    let entries = try SharedTags(at: address).entries()
    return try Application.naming(address.name) { try TagList(entries: entries) }
  }

  /// Changes the tags, while nobody else does, and returns the result of the change.
  static func change<Outcome>(
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
