package import FoundationEssentials

/// Something unusual about the posts of a tag.
package struct TagAlert: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// No post for longer than expected: since its newest post, or since its first run.
    case silent(since: Date)
    /// More posts in the last hour than usual in this hour of the day.
    case spike(rate: Int, usual: Double)
  }

  /// The query of the tag.
  package var tag: String
  package var kind: Kind

  package init(tag: String, kind: Kind) {
    self.tag = tag
    self.kind = kind
  }
}

extension [TagAlert] {
  /// True if a tag has been without a post for longer than expected.
  package var hasSilence: Bool {
    contains { if case .silent = $0.kind { true } else { false } }
  }
}
