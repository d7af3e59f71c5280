internal import TextFormats

/// A value of the wrong shape, and the way to it.
struct TagShapeError: Error, Hashable {
  let place: JSONPlace
  let expected: String
  let found: String
}
