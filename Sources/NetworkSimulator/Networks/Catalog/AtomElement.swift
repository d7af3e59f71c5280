internal import TextFormats

/// An entry of an Atom feed, written from the members of an object; a malformed one stays malformed.
struct AtomElement {
  private let item: JSONValue

  /// Returns the entry that holds the parts; anything but an object becomes an entry with a number.
  static func entry(_ item: JSONValue, _ parts: (AtomElement) -> [String]) -> String {
    guard case .object = item else { return "<entry>17</entry>" }
    return "<entry>\(parts(AtomElement(item: item)).joined(separator: "\n"))</entry>"
  }

  /// Returns the member as an element of its name: empty for anything but text, absent without it.
  func element(_ name: String) -> String {
    item[name] == nil ? "" : "<\(name)>\(texts(name).first ?? "")</\(name)>"
  }

  func link(_ name: String, rel: String) -> String {
    texts(name).map { "<link href=\"\($0)\" rel=\"\(rel)\"/>" }.joined()
  }

  /// Returns the escaped texts of a member: those of a list, or the only one.
  func texts(_ name: String) -> [String] {
    let values =
      switch item[name] {
      case .array(let values)?: values
      case let value?: [value]
      case nil: [JSONValue]()
      }
    return values.compactMap {
      if case .string(let text) = $0 { Markup.escaped(text) } else { nil }
    }
  }
}
