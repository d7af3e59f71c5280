/// The circle of people that a post was written for.
///
/// Names and meanings are Mastodon's: <https://docs.joinmastodon.org/entities/Status/#visibility>
@usableFromInline
package enum Visibility: String, CaseIterable, Hashable, Sendable {
  case `public`
  /// Open to everyone, but left out of public timelines.
  case unlisted
  /// For followers, members or any other limited circle.
  case `private`
  /// For the people that it mentions.
  case direct

  /// Creates a visibility from a network's name for it; an unknown name counts as private.
  package init(named name: some StringProtocol) {
    switch name.lowercased() {
    case "public": self = .public
    // Misskey calls it `home`.
    case "unlisted", "home": self = .unlisted
    case "direct": self = .direct
    default: self = .private
    }
  }

  /// True if everyone may read the post.
  package var isOpen: Bool { self == .public || self == .unlisted }

  /// Returns the narrower of two circles; nil, a network that does not say, counts as public.
  package static func narrower(_ one: Visibility?, _ other: Visibility?) -> Visibility? {
    guard let one, let other else { return one ?? other }
    return one.breadth < other.breadth ? one : other
  }

  private var breadth: Int {
    switch self {
    case .public: 3
    case .unlisted: 2
    case .private: 1
    case .direct: 0
    }
  }
}
