import Foundation

/// A JSON document; missing values are null.
struct JSONTree: @unchecked Sendable {
  // Unchecked: JSONSerialization's values are immutable.
  let value: Any?

  init(_ value: Any?) { self.value = value is NSNull ? nil : value }

  subscript(_ key: String) -> JSONTree { JSONTree((value as? [String: Any])?[key]) }
  subscript(_ index: Int) -> JSONTree {
    let elements = elements
    return elements.indices.contains(index) ? elements[index] : JSONTree(nil)
  }

  var elements: [JSONTree] { (value as? [Any] ?? []).map { JSONTree($0) } }
  var keys: Set<String> { Set((value as? [String: Any] ?? [:]).keys) }
  var string: String? { value as? String }
  var integer: Int? { (value as? NSNumber)?.intValue }
  var boolean: Bool? { value as? Bool }
  var isNull: Bool { value == nil }
}
