internal import FoundationEssentials
internal import PostHistory
internal import SearchModel

/// A post on its way to its row.
struct PostDraft {
  /// The places of posts without a date that counts, before all others: those that claim to come from the
  /// future are newer than those without any date.
  private static let undated: Int64 = -1 << 60
  /// The place of all posts that claim to come from the future.
  static let ahead = undated + 1

  let post: Post
  let body: [UInt8]

  init(_ post: Post) {
    self.post = post
    body = PostBody.bytes(of: post)
  }

  /// The date by which the post is sorted.
  func place(fetched: Milliseconds) -> Int64 {
    guard let created = post.createdAt.map({ Milliseconds($0).count }) else { return Self.undated }
    let tolerated = fetched.count + Int64(Merge.toleratedLead * 1000)
    return created <= tolerated ? created : Self.ahead
  }

  /// Its words, facets and names, with a blank between them.
  func words(key: FingerprintKey) -> String {
    let names = [post.uri, post.id, post.url].compactMap(\.self)
      .map { Self.token(ofName: $0, key: key) }
    return PostTokens.stored(of: post).union(names).sorted().joined(separator: " ")
  }

  /// The token by which a post is found that has this identifier or address.
  static func token(ofName name: String, key: FingerprintKey) -> String {
    ":n\(String(UInt64(bitPattern: key.hash(of: name)), radix: 16))"
  }
}
