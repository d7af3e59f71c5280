package import SearchModel
internal import TextFormats

/// The muted authors in the user's configuration file.
package struct MutedAuthors {
  private let file: OwnConfiguration

  package var path: String { file.path }

  package init(in file: OwnConfiguration) { self.file = file }

  package func names() throws -> [AuthorName] {
    try entries(of: file.document()).map { AuthorName($0) }
  }

  /// Adds authors, each once; returns how many are new.
  package func add(_ names: [AuthorName]) throws -> Int {
    try change { stored in for name in names where !stored.contains(name) { stored.append(name) } }
  }

  /// Removes authors; returns how many there were.
  package func remove(_ names: [AuthorName]) throws -> Int {
    -(try change { stored in stored.removeAll(where: names.contains) })
  }

  /// Changes the list; returns by how many authors it has grown.
  private func change(_ change: (inout [AuthorName]) -> Void) throws -> Int {
    try file.change { document in
      let old = try entries(of: document).map { AuthorName($0) }
      var new = old
      change(&new)
      if new != old {
        document = document.setting("mute", to: .array(new.map { .string("@\($0.text)") }))
      }
      return new.count - old.count
    }
  }

  /// The names as they are written: a list, or a text with commas.
  private func entries(of document: JSONValue) throws -> [String] {
    switch document["mute"] {
    case nil, .null: return []
    case .string(let text):
      return text.split(separator: ",").map { String($0.trimmed) }.filter { !$0.isEmpty }
    case .array(let elements):
      return try elements.map { element in
        guard case .string(let text) = element else { throw fault }
        return String(text.trimmed)
      }
    case .some: throw fault
    }
  }

  private var fault: CommandFailure {
    CommandFailure(.badConfiguration, #"\#(path): mute: expected a list such as ["@amy"]"#)
  }
}
