package import TextFormats

/// Why a text is no list of tags: one line for people that begins with the place in the text.
package struct MalformedTags: Error, Hashable, Sendable, CustomStringConvertible {
  package var position: JSONPosition
  /// The way to the value, such as `tags[3].limit`; empty for the text as a whole.
  package var place: String
  package var expected: String
  package var found: String

  init(position: JSONPosition, place: String = "", expected: String, found: String) {
    self.position = position
    self.place = place
    self.expected = expected
    self.found = found
  }

  init(_ error: JSONSyntaxError) {
    self.init(position: error.position, expected: error.expected, found: error.found)
  }

  init(_ error: TagShapeError, in text: [UInt8]) {
    self.init(
      position: JSONLocator.position(of: error.place.ordinals, in: text), place: error.place.name,
      expected: error.expected, found: error.found)
  }

  package var description: String {
    "\(position): \(place.isEmpty ? "" : "\(place): ")expected \(expected), found \(found)"
  }
}
