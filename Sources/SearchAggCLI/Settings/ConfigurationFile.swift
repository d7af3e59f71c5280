internal import Application
internal import SafeFiles
internal import SearchModel
internal import SearchSources
internal import TextFormats

/// One configuration file: an object of settings, and `sources` with the servers of each, and with the
/// declarations of those that are the user's own.
struct ConfigurationFile: Sendable {
  /// The settings that a file may hold beside `sources`, by the names of their options.
  static let settings = Set(Setting.all.filter { $0.places.contains(.file) }.map(\.name))

  let shownPath: String
  private(set) var values: [String: String] = [:]
  /// The networks that it declares or enables, and servers of others.
  private(set) var networks = ConfiguredSources()
  /// The member `sources` as it was read.
  private(set) var sources: JSONValue?
  /// The channels that are declared here.
  private(set) var channels: [Channel] = []
  /// The keys that were there and left out.
  private(set) var ignored: [String] = []

  /// Reads a file; nil if it does not exist.
  ///
  /// - Parameter unwanted: Keys that are ignored, whatever their values.
  init?(
    at path: String, shownAs shownPath: String, ignoring unwanted: Set<String> = []
  ) throws {
    self.shownPath = shownPath
    guard let bytes = try Self.bytes(of: path) else { return nil }
    let document = try naming(shownPath, failingWith: .badConfiguration) {
      try JSONDocument(reading: bytes)
    }
    do throws(DocumentError) {
      let root = document.root(quotingValues: false)
      let members = try root.distinctMembers(
        expected: "an object of settings", spelling: Self.name(of:))
      for (key, entry) in members {
        let name = Self.name(of: key)
        if unwanted.contains(name) { ignored.append(name) } else { try take(entry, as: name) }
      }
    } catch {
      throw CommandFailure(.badConfiguration, "\(shownPath): \(error.pathAndMessage)")
    }
  }

  /// The bytes of a file, without a byte order mark; nil if it does not exist.
  private static func bytes(of path: String) throws -> [UInt8]? {
    let bytes = try naming(path, failingWith: .badConfiguration) {
      try SharedFile(path: path, limit: OwnConfiguration.largest).read()
    }
    return bytes.map { $0.starts(with: [0xEF, 0xBB, 0xBF]) ? Array($0[3...]) : $0 }
  }

  /// The name of the setting that a key means: `per_search` is `per-search`.
  private static func name(of key: String) -> String { key.replacing("_", with: "-") }

  /// A line for each unknown key of a file; empty if the file does not exist.
  static func unknownKeys(
    at path: String, shownAs shownPath: String
  ) throws -> [String] {
    guard let bytes = try Self.bytes(of: path) else { return [] }
    // Reading the whole file reports its other mistakes.
    guard let root = try? JSONDocument(reading: bytes).root(quotingValues: false),
      let members = try? root.members(expected: "an object of settings")
    else { return [] }
    return members.compactMap { key, entry in
      let name = Self.name(of: key)
      guard !["sources", "channels"].contains(name), !Self.settings.contains(name) else {
        return nil
      }
      return "\(shownPath): \(entry.fault(unknownSetting(name)))"
    }
  }

  private static func unknownSetting(_ name: String) -> String {
    "unknown setting"
      + Suggestion.advice(
        for: name, among: ["sources", "channels"] + Self.settings.sorted())
  }

  /// The text of a setting.
  func text(of name: String) -> String? { values[name] }

  private mutating func take(_ entry: JSONEntry, as name: String) throws(DocumentError) {
    if name == "sources" {
      sources = entry.value
      networks = try ConfiguredSources(entry)
      return
    }
    if name == "channels" {
      let expected = "an object with a channel for each key"
      channels = try entry.distinctMembers(expected: expected).map {
        name, entry throws(DocumentError) in
        try Channel(name, entry)
      }
      return
    }
    guard Self.settings.contains(name) else {
      throw entry.fault(Self.unknownSetting(name))
    }
    switch entry.value {
    case .string(let text): values[name] = text
    case .number(let spelling): values[name] = spelling
    case .bool(let isOn): values[name] = isOn ? "true" : "false"
    case .array:
      let expected = "a list of strings"
      values[name] = try entry.elements(expected: expected).map { text throws(DocumentError) in
        try text.string(expected: expected, allowsEmpty: true)
      }.joined(separator: ",")
    case .null: break
    case .object: throw entry.fault(expected: "a string, a number, true or false, or a list")
    }
  }
}
