import Foundation
import Testing

/// The values of a JSON document in the order of a walk over all of them, parents first.
enum JSONPlaces {
  static func count(_ json: Any) -> Int {
    switch json {
    case let list as [Any]: 1 + list.map(count).reduce(0, +)
    case let object as [String: Any]: 1 + object.values.map(count).reduce(0, +)
    default: 1
    }
  }

  /// Returns the document with no list longer than `limit`.
  static func shortened(_ json: Any, to limit: Int) -> Any {
    switch json {
    case let list as [Any]: list.prefix(limit).map { shortened($0, to: limit) }
    case let object as [String: Any]: object.mapValues { shortened($0, to: limit) }
    default: json
    }
  }

  /// Calls `body` for each value of the document and each spelling that replaces it, with the
  /// bytes of the changed document and with what was changed.
  static func forEachSpoiled(
    _ json: Any, by spellings: [String], _ body: (_ bytes: [UInt8], _ change: String) throws -> Void
  ) throws {
    let mark = "here another value goes"
    for place in 0..<count(json) {
      var left = place
      let marked = try JSONSerialization.data(
        withJSONObject: replaced(json, at: &left, by: mark), options: .fragmentsAllowed)
      let range = try #require(marked.firstRange(of: Data("\"\(mark)\"".utf8)))
      for spelling in spellings {
        let bytes = marked[..<range.lowerBound] + Data(spelling.utf8) + marked[range.upperBound...]
        try body([UInt8](bytes), "\(spelling) at \(place)")
      }
    }
  }

  private static func replaced(_ json: Any, at place: inout Int, by value: Any) -> Any {
    place -= 1
    if place == -1 { return value }
    if place < -1 { return json }
    switch json {
    case let list as [Any]: return list.map { replaced($0, at: &place, by: value) }
    case let object as [String: Any]:
      var changed = object
      for (key, member) in object.sorted(by: { $0.key < $1.key }) {
        changed[key] = replaced(member, at: &place, by: value)
      }
      return changed
    default: return json
    }
  }
}
