internal import SearchModel
internal import Synchronization

/// The posts of one search as rows of the spool, with the fingerprint of each.
struct PackedFinding: Sendable {
  let fingerprints: [Fingerprint]
  let rows: [SpoolTable.Part]
}

/// Makes rows of a run's posts, whose bodies it writes once, however many searches have found them.
///
/// One thread is enough: the writing of the rows takes longer.
final class SpoolPacker: Sendable {
  private static let postsInRow = 1000

  // By half of their fingerprints, which are equal by chance once in 40 million runs of a million posts.
  private let known: Mutex<SeenHashes>
  private let key: FingerprintKey

  /// - Parameter known: The posts whose bodies are in a row already.
  init(_ known: SeenHashes, key: FingerprintKey) {
    self.known = Mutex(known)
    self.key = key
  }

  /// The posts whose bodies are in a row.
  var seen: SeenHashes { known.withLock { $0 } }

  /// Packs the next findings of the run.
  ///
  /// - Parameter origins: The network and the server of each page.
  func pack(
    _ findings: [RunBatch.Finding], from origins: [ObjectIdentifier: SpooledPost.Origin]
  ) -> [PackedFinding] {
    known.withLock { seen in
      findings.map { finding in
        let posts = finding.posts
        var fingerprints: [Fingerprint] = []
        fingerprints.reserveCapacity(posts.count)
        posts[...].readEach(askingAhead: true) { post in
          fingerprints.append(key.fingerprint(of: post))
        }
        for fingerprint in fingerprints { seen.prefetch(fingerprint.hash) }
        let rows = stride(from: 0, to: posts.count, by: Self.postsInRow).map { start in
          let part = start..<min(start + Self.postsInRow, posts.count)
          return Self.row(of: posts[part], fingerprints[part], from: origins, &seen)
        }
        return PackedFinding(fingerprints: fingerprints, rows: rows)
      }
    }
  }

  private static func row(
    of posts: ArraySlice<Post>, _ fingerprints: ArraySlice<Fingerprint>,
    from origins: [ObjectIdentifier: SpooledPost.Origin], _ seen: inout SeenHashes
  ) -> SpoolTable.Part {
    var writer = PackedWriter(capacity: posts.count * 512)
    var rest = fingerprints
    var page: (identity: ObjectIdentifier, origin: SpooledPost.Origin?)?
    posts.readEach { post in
      guard let fingerprint = rest.popFirst() else { return }
      let known = page?.identity == post.page ? page?.origin : origins[post.page]
      page = (post.page, known)
      // The first one of a run is the one that counts.
      let isFirst = seen.insert(fingerprint.hash)
      guard isFirst, let origin = known else {
        return SpooledPost.write(fingerprint, to: &writer)
      }
      SpooledPost.write(fingerprint, of: origin, createdAt: post.createdAt, to: &writer) {
        PostBody.write(post, to: &$0)
      }
    }
    return (posts.count, writer.bytes)
  }
}
