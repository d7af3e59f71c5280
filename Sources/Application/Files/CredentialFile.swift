internal import SafeFiles
internal import TextFormats

/// The file of stored credentials, which only its owner can read.
package struct CredentialFile: Sendable {
  private let file: SharedFile

  package var path: String { file.path }

  /// The file in a folder of the user's own configuration.
  package init(in folder: String) {
    file = SharedFile(path: "\(folder)/credentials.json", limit: 1 << 20, access: .ownerOnly)
  }

  /// The credentials by their variables, in the order of the file; empty if the file does not exist.
  package func credentials() throws -> [(name: String, secret: String)] {
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

  package var names: [String] {
    get throws { try credentials().map(\.name) }
  }

  /// Stores a credential, or removes it; returns whether it was there.
  package func change(_ name: String, to secret: String?) throws -> Bool {
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
