/// A network's name as users write it: lower case, with dashes, such as `twitter-classic`.
package struct SourceName: RawRepresentable, Hashable, Sendable, Comparable,
  CustomStringConvertible, ExpressibleByStringLiteral
{
  package let rawValue: String

  package init(rawValue: String) { self.rawValue = rawValue }
  package init(stringLiteral value: String) { rawValue = value }

  package var description: String { rawValue }

  package static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
}
