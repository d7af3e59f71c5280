import Foundation

/// The values of a JSON document in the order of a walk over all of them, parents first.
enum JSONPlaces {
  static func count(_ json: Any) -> Int {
    switch json {
    case let list as [Any]: 1 + list.map(count).reduce(0, +)
    case let object as [String: Any]: 1 + object.values.map(count).reduce(0, +)
    case _: 1
    }
  }

  /// Returns the document with no list longer than `limit`.
  static func shortened(_ json: Any, to limit: Int) -> Any {
    switch json {
    case let list as [Any]: list.prefix(limit).map { shortened($0, to: limit) }
    case let object as [String: Any]: object.mapValues { shortened($0, to: limit) }
    case _: json
    }
  }

  /// Returns the document with the value at one place replaced.
  static func replaced(_ json: Any, at place: Int, by value: Any) -> Any {
    var left = place
    return replaced(json, at: &left, by: value)
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
    case _: return json
    }
  }
}
