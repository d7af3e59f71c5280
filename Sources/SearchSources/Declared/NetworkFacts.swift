internal import TextFormats

/// The facts about a network that a declaration tells its readers.
package struct NetworkFacts: Hashable, Sendable {
  /// The name of the service.
  package var title: String?
  /// A description of its posts in one line.
  package var what: String?
  /// The address of its documentation.
  package var documentation: String?
  package var terms: String?
  package var limits: String?
  /// The date of the last check of the declaration, and its subject.
  package var checked: String?
  /// The facts that could not be found out.
  package var unsure: [String] = []
  /// The abilities of the network that the declaration leaves out.
  package var lost: [String] = []

  package init() {}

  init(_ entry: JSONEntry) throws(DocumentError) {
    let known = try entry.object(knowing: [
      "title", "what", "documentation", "terms", "limits", "checked", "unsure", "lost",
    ])
    func line(_ key: String) throws(DocumentError) -> String? {
      try known[key]?.string(expected: "a line")
    }
    func lines(_ key: String) throws(DocumentError) -> [String] {
      try known[key]?.elements(expected: "a list of lines").map { entry throws(DocumentError) in
        try entry.string(expected: "a line")
      } ?? []
    }
    title = try line("title")
    what = try line("what")
    documentation = try line("documentation")
    terms = try line("terms")
    limits = try line("limits")
    checked = try line("checked")
    unsure = try lines("unsure")
    lost = try lines("lost")
  }
}
