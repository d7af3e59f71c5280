internal import Application
internal import PostHistory
internal import TextFormats

extension RunRecord {
  /// The name of a run: the settings that decide what it asks, as they were written.
  ///
  /// Dates such as `3d` are one name, however much later the run is repeated.
  ///
  /// - Parameter tags: The path of the tags file, or the queries of the command line.
  static func name(
    tags: [String], isFile: Bool, _ settings: RunSettings, _ reader: SettingsReader
  ) -> String {
    var members = [
      JSONMember(isFile ? "tags-file" : "queries", .array(tags.map(JSONValue.string)))
    ]
    members += Self.members(
      of: ["source", "raw", "shard", "since", "until"] + filterSettings, reader)
    if settings.areSourcesByFlag { members.append(JSONMember("by-option", .bool(true))) }
    return String(decoding: JSONValue.object(members).bytes, as: UTF8.self)
  }

  /// The filters of a run, as they were written.
  static func filter(_ reader: SettingsReader) -> String {
    String(decoding: JSONValue.object(members(of: filterSettings, reader)).bytes, as: UTF8.self)
  }

  /// All that decides, besides the plan, which posts a run prints, as it was written.
  static func bounds(_ reader: SettingsReader) -> String {
    let members = members(of: ["raw", "since", "until", "per-search"] + filterSettings, reader)
    return String(decoding: JSONValue.object(members).bytes, as: UTF8.self)
  }

  private static let filterSettings = [
    "undated", "exclude", "no-reposts", "no-replies", "lang", "min-likes", "include-private",
    "mute", "include-muted",
  ]

  private static func members(of names: [String], _ reader: SettingsReader) -> [JSONMember] {
    names.compactMap { name in
      guard let setting = Setting.named(name), let text = reader.text(of: setting),
        text.origin != .standard
      else { return nil }
      return JSONMember(name, .string(text.text))
    }
  }
}
