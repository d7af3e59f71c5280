internal import FoundationEssentials
internal import HeapModule
internal import SearchModel

/// The posts that have to be merged in memory, found by reading all parts once: those of which there are
/// copies, and those that are not in the order of the others.
///
/// All other posts are already in the order of the whole in their own files.
struct PostsApart {
  /// A post's file, and its number there.
  struct Location: Hashable {
    let file: Int
    let number: Int
  }

  /// The first post of each identity, by a hash of it.
  private var first: [Int: Location] = [:]
  private var locations: Set<Location> = []
  private var files: Set<Int> = []
  /// The last post of a file that is in order.
  private var last: (file: Int, position: MergePosition)?

  mutating func add(_ record: PartFile.Record, ofFile file: Int) {
    let location = Location(file: file, number: record.number)
    if let earlier = first[record.post.identityHash] {
      insert(earlier)
      insert(location)
    } else {
      first[record.post.identityHash] = location
    }
    // By the time of the last part, such a post may have another position.
    guard !record.isFuture else {
      insert(location)
      return
    }
    let position = MergePosition(of: record.post, now: .distantFuture)
    if let last, last.file == file, position < last.position {
      insert(location)
    } else {
      last = (file, position)
    }
  }

  private mutating func insert(_ location: Location) {
    locations.insert(location)
    files.insert(location.file)
  }

  func contains(_ location: Location) -> Bool { locations.contains(location) }

  func hasPosts(ofFile file: Int) -> Bool { files.contains(file) }
}

/// The posts of all parts in the order of the whole, of which one of each part is held.
struct MergedPosts {
  /// The next post of a stream.
  private struct Upcoming: Comparable {
    let position: MergePosition
    let stream: Int

    static func < (one: Self, other: Self) -> Bool {
      one.position == other.position
        ? one.stream < other.stream : one.position < other.position
    }

    static func == (one: Self, other: Self) -> Bool {
      one.position == other.position && one.stream == other.stream
    }
  }

  private var streams: [PartFile.Records]
  private let apart: PostsApart
  /// The posts apart, merged.
  private var merged: ArraySlice<Post>
  private let now: Date
  private var heap = Heap<Upcoming>()

  init(of files: [PartFile], apart: PostsApart, merged: [Post], now: Date) throws {
    streams = files.map { $0.records() }
    self.apart = apart
    self.merged = merged[...]
    self.now = now
    for stream in 0...streams.count { try advance(stream) }
  }

  /// Returns the next post; nil after the last one.
  mutating func next() throws -> Post? {
    guard let first = heap.popMin() else { return nil }
    try advance(first.stream)
    return first.position.post
  }

  /// Returns the next posts, at most `count`.
  mutating func next(_ count: Int) throws -> [Post] {
    var posts: [Post] = []
    while posts.count < count, let post = try next() { posts.append(post) }
    return posts
  }

  private mutating func advance(_ stream: Int) throws {
    if stream == streams.count {
      guard let post = merged.popFirst() else { return }
      heap.insert(Upcoming(position: MergePosition(of: post, now: now), stream: stream))
      return
    }
    while let record = try streams[stream].next() {
      let location = PostsApart.Location(file: stream, number: record.number)
      guard !apart.contains(location) else { continue }
      let position = MergePosition(of: record.post, now: now)
      heap.insert(Upcoming(position: position, stream: stream))
      // A part that was cut off does not say that it was run later than the others; what was the past for
      // it comes after the rest of its posts.
      if !position.post.isFuture { return }
    }
  }
}
