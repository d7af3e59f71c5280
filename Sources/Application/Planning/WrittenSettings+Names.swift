internal import SearchModel
internal import TextFormats

/// Names of runs and of filters, of the settings as they were written: a date such as `3d` is one name, however
/// much later a run is repeated.
extension WrittenSettings {
  /// The name of a run: the settings that decide what it asks, in whatever order its tags and sources are named.
  ///
  /// - Parameter tags: The path of the tags file, or the queries of the command line.
  package func runName(of tags: [String], isFile: Bool) -> String {
    var members = [
      JSONMember(
        isFile ? "tags-file" : "queries", .array(Set(tags).sorted().map(JSONValue.string)))
    ]
    if let sources { members.append(JSONMember("source", .string(Self.list(sources)))) }
    members += Self.members(
      of: ["raw", "shard", "since", "until"] + Self.filterNames, in: words)
    if isOption("source") { members.append(JSONMember("by-option", .bool(true))) }
    return Self.text(members)
  }

  /// The filters of a run.
  package var filter: String { Self.text(Self.members(of: Self.filterNames, in: words)) }

  /// All that decides, besides the plan, which posts a run prints.
  package var bounds: String {
    Self.text(
      Self.members(of: ["raw", "since", "until", "per-search"] + Self.filterNames, in: words))
  }

  /// The settings that decide which of the posts that were read are taken.
  package static let filterNames = [
    "undated", "exclude", "no-reposts", "no-replies", "lang", "min-likes", "include-private",
    "mute", "include-muted",
  ]

  private static func list(_ sources: [SourceName]) -> String {
    Set(sources.map(\.rawValue)).sorted().joined(separator: ",")
  }

  /// - Returns: The members without empty lists, such as the one that the last `unmute` leaves.
  private static func members(of names: [String], in words: [String: Word]) -> [JSONMember] {
    names.compactMap { name in
      words[name].flatMap { $0.text.isEmpty ? nil : JSONMember(name, .string($0.text)) }
    }
  }

  private static func text(_ members: [JSONMember]) -> String {
    String(decoding: JSONValue.object(members).bytes, as: UTF8.self)
  }
}
