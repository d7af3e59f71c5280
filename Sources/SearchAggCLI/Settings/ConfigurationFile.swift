internal import SafeFiles
internal import SearchModel
internal import SearchSources
internal import TextFormats

/// One configuration file: an object of settings, and `sources` with the servers of each, and with the
/// declarations of those that are the user's own.
struct ConfigurationFile: Sendable {
  private static let largest = 1 << 20

  let shownPath: String
  private(set) var values: [String: String] = [:]
  var servers: [String: [ConfiguredServer]] = [:]
  /// The sources that are declared here.
  var declared: [any Source] = []
  /// The keys that were there and left out.
  private(set) var ignored: [String] = []

  /// Reads a file; nil when there is none.
  ///
  /// - Parameter unwanted: Keys that are left out, whatever stands there.
  init?(
    at path: String, shownAs shownPath: String, ignoring unwanted: Set<String> = []
  ) throws(CommandFailure) {
    self.shownPath = shownPath
    let bytes: [UInt8]
    do {
      bytes = try BoundedRead.bytes(of: path, limit: Self.largest)
    } catch .missing {
      return nil
    } catch {
      throw CommandFailure(.badConfiguration, "\(error)")
    }
    let value: JSONValue
    do {
      value = try JSONValue(reading: bytes)
    } catch {
      throw CommandFailure(.badConfiguration, "\(shownPath): \(error)")
    }
    guard case .object(let members) = value else { throw wrong("an object of settings") }
    for member in members {
      let name = member.key.replacing("_", with: "-")
      if unwanted.contains(name) { ignored.append(name) } else { try take(member, as: name) }
    }
  }

  /// The text of a setting.
  func text(of name: String) -> String? { values[name] }

  private mutating func take(
    _ member: JSONMember, as name: String
  ) throws(CommandFailure) {
    if name == "sources" { return try takeSources(member.value) }
    guard Configuration.settings.contains(name) else {
      throw CommandFailure(
        .badConfiguration,
        "\(shownPath): '\(member.key)' is no setting; there are: sources, "
          + Configuration.settings.sorted().joined(separator: ", "))
    }
    switch member.value {
    case .string(let text): values[name] = text
    case .number(let spelling): values[name] = spelling
    case .bool(let isOn): values[name] = isOn ? "true" : "false"
    case .array(let elements):
      values[name] = try elements.map { element throws(CommandFailure) in
        guard case .string(let text) = element else { throw wrong("a list of texts", at: name) }
        return text
      }.joined(separator: ",")
    case .null: break
    case .object: throw wrong("a text, a number or true or false", at: name)
    }
  }

  func wrong(_ expected: String, at place: String? = nil) -> CommandFailure {
    let place = place.map { "\($0): " } ?? ""
    return CommandFailure(.badConfiguration, "\(shownPath): \(place)expected \(expected)")
  }
}
