internal import TextFormats

extension JSONNode {
  /// The elements of the list under a key; none where there is no such list.
  func list(_ key: StaticString) -> NodeList { NodeList(self[key]) }

  /// The text of a string that is not empty; nil for anything else.
  var text: String? { string.flatMap { $0.isEmpty ? nil : $0 } }

  /// A number of likes or the like; nil for anything but a whole number.
  var count: Int? { integer.flatMap(Int.init(exactly:)) }
}
