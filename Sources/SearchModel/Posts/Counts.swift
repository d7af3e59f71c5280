/// The numbers of likes, reposts, replies and views of a post; nil if the network does not say.
@usableFromInline
package struct Counts: Hashable, Sendable {
  @usableFromInline var packedLikes: PackedNumber
  @usableFromInline var packedReposts: PackedNumber
  @usableFromInline var packedReplies: PackedNumber
  var packedViews: PackedNumber

  package init(likes: Int? = nil, reposts: Int? = nil, replies: Int? = nil, views: Int? = nil) {
    packedLikes = PackedNumber(likes)
    packedReposts = PackedNumber(reposts)
    packedReplies = PackedNumber(replies)
    packedViews = PackedNumber(views)
  }

  @inlinable package var likes: Int? {
    get { packedLikes.value }
    set { packedLikes = PackedNumber(newValue) }
  }

  @inlinable package var reposts: Int? {
    get { packedReposts.value }
    set { packedReposts = PackedNumber(newValue) }
  }

  @inlinable package var replies: Int? {
    get { packedReplies.value }
    set { packedReplies = PackedNumber(newValue) }
  }

  package var views: Int? {
    get { packedViews.value }
    set { packedViews = PackedNumber(newValue) }
  }
}
