internal import SafeFiles
internal import SearchModel
internal import SearchSources
internal import TextFormats

/// The credentials of this user: from the environment, else from `credentials.json` in the
/// configuration folder, which nobody else may be able to read.
struct Secrets: Sendable {
  private static let largest = 1 << 20

  private let environment: [String: String]
  private var kept: [String: String] = [:]

  init(in context: Context) throws(CommandFailure) {
    environment = context.environment
    guard let folder = ConfigurationFolder.path(in: context) else { return }
    let path = "\(folder)/credentials.json"
    let bytes: [UInt8]
    do {
      bytes = try PrivateFile(path: path).read(limit: Self.largest)
    } catch .missing {
      return
    } catch {
      throw CommandFailure(.badConfiguration, "\(error)")
    }
    let expected = #"an object such as {"X_BEARER_TOKEN": "…"}"#
    guard let document = try? JSONDocument(reading: bytes) else {
      // The reader's own message could quote a secret.
      throw CommandFailure(.badConfiguration, "\(path): expected \(expected)")
    }
    do throws(DocumentError) {
      for (name, entry) in try document.root(quotingValues: false).members(expected: expected) {
        kept[name] = try entry.string(expected: "a string", allowsEmpty: true)
      }
    } catch {
      throw CommandFailure(.badConfiguration, "\(path): \(error.pathAndMessage)")
    }
  }

  /// Whether all of these variables are set.
  func hold(_ names: [String]) -> Bool {
    !names.isEmpty && names.allSatisfy { value(of: $0) != nil }
  }

  /// The values of these variables, which are set.
  ///
  /// Throws where one cannot be sent, as no header may hold it.
  func credentials(named names: [String]) throws(Failure) -> Credentials {
    let values = names.compactMap { value(of: $0) }
    for (name, value) in zip(names, values)
    where value.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
      throw Failure(
        .credential, message: "\(name) holds a line break or another control character",
        advice: "set \(name) to the credential alone")
    }
    return Credentials(values, names: names)
  }

  /// Those of the variables that are set, with their values.
  func values(of names: some Sequence<String>) -> [String: String] {
    var values: [String: String] = [:]
    for name in names { values[name] = value(of: name) }
    return values
  }

  /// A variable that is set and not blank. What stands in a file often ends in a line break, which is no
  /// part of the secret.
  private func value(of name: String) -> String? {
    guard let text = (environment[name] ?? kept[name])?.trimmed else { return nil }
    return text.isEmpty ? nil : String(text)
  }
}
