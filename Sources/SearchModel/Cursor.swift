/// Where a page begins, in the words of the network that gave it; nobody else looks inside.
package struct Cursor: RawRepresentable, Hashable, Sendable {
  package let rawValue: String

  package init(rawValue: String) { self.rawValue = rawValue }
}
