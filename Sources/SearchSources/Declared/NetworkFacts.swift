internal import TextFormats

/// The facts about a network that a declaration tells its readers.
package struct NetworkFacts: Hashable, Sendable {
  /// The name of the service.
  package var title: String?
  /// What its posts are, in one line.
  package var what: String?
  /// The address of its documentation.
  package var documentation: String?
  package var terms: String?
  package var limits: String?
  /// When and against what the declaration was checked.
  package var checked: String?
  /// What could not be found out.
  package var unsure: [String] = []
  /// What the declaration leaves out.
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
