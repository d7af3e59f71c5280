internal import Application
internal import SafeFiles
internal import SearchModel
internal import SearchSources
internal import TextFormats

/// The credentials of this user: from the environment, or else from `credentials.json` in the
/// configuration folder, which must not be readable by others.
struct Secrets: Sendable {
  private let environment: [String: String]
  private var kept: [String: String] = [:]

  init(in context: Context) throws {
    environment = context.environment
    guard let file = CredentialFile(in: context) else { return }
    for (name, secret) in try file.credentials() { kept[name] = secret }
  }

  /// Returns whether all of these variables are set.
  func hold(_ names: [String]) -> Bool {
    !names.isEmpty && names.allSatisfy { value(of: $0) != nil }
  }

  /// The values of these variables, which are set.
  ///
  /// Throws if a header cannot contain one of them.
  func credentials(named names: [String]) throws(Failure) -> Credentials {
    let values = names.compactMap { value(of: $0) }
    for (name, value) in zip(names, values)
    where value.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
      throw Failure(
        .credential, message: "\(name) contains a line break or another control character",
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

  /// A variable that is set and not blank. The text of a file often ends in a line break, which is not
  /// part of the secret.
  private func value(of name: String) -> String? {
    guard let text = (environment[name] ?? kept[name])?.trimmed else { return nil }
    return text.isEmpty ? nil : String(text)
  }
}

/// The file of stored credentials, which only its owner can read.
struct CredentialFile: Sendable {
  private let file: SharedFile

  var path: String { file.path }

  /// The file in the user's configuration folder; nil without such a folder.
  init?(in context: Context) {
    guard let folder = ConfigurationFolder.path(in: context) else { return nil }
    file = SharedFile(path: "\(folder)/credentials.json", limit: 1 << 20, access: .ownerOnly)
  }

  static func own(in context: Context) throws -> CredentialFile {
    guard let file = CredentialFile(in: context) else {
      throw CommandFailure(.badConfiguration, "cannot tell where credentials are kept: set HOME")
    }
    return file
  }

  /// The credentials by their variables, in the order of the file; empty if the file does not exist.
  func credentials() throws -> [(name: String, secret: String)] {
    try credentials(file.read)
  }

  private func credentials(
    _ read: () throws -> [UInt8]?
  ) throws -> [(name: String, secret: String)] {
    guard let bytes = try naming(path, failingWith: .badConfiguration, read) else { return [] }
    let expected = #"an object such as {"X_BEARER_TOKEN": "…"}"#
    guard let document = try? JSONDocument(reading: bytes) else {
      // The reader's own message could quote a secret.
      throw CommandFailure(.badConfiguration, "\(path): expected \(expected)")
    }
    do throws(DocumentError) {
      return try document.root(quotingValues: false).members(expected: expected).map {
        (name, entry) throws(DocumentError) in
        (name, try entry.string(expected: "a string", allowsEmpty: true))
      }
    } catch {
      throw CommandFailure(.badConfiguration, "\(path): \(error.pathAndMessage)")
    }
  }

  var names: [String] {
    get throws { try credentials().map(\.name) }
  }

  /// Stores a credential, or removes it; returns whether it was there.
  func change(_ name: String, to secret: String?) throws -> Bool {
    try file.change { read in
      var kept = try credentials(read)
      let index = kept.firstIndex { $0.name == name }
      if let secret {
        if let index { kept[index].secret = secret } else { kept.append((name, secret)) }
      } else {
        guard index != nil else { return (nil, false) }
        kept.removeAll { $0.name == name }
      }
      let object = JSONValue.object(kept.map { JSONMember($0.name, .string($0.secret)) })
      return (object.fileBytes, index != nil)
    }
  }
}
