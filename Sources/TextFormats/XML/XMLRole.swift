/// Where an element ends if its end tag is missing.
package enum XMLRole: Sendable {
  /// With the element around it.
  case any
  /// The same; it holds records, such as a feed.
  case container
  /// Where the next record of its container begins, such as an entry of a feed.
  case record
  /// Where another field, a record or a container begins directly in it, such as a title.
  case field
}
