/// Finds posts that are copies of one another by their links.
///
/// Two posts say the same of the same page if they share their only outside link and at least two
/// thirds of their words. An outside link leads to another host than the post's own; of a network that
/// lists no links those in the text count. And two posts from different servers or networks are the
/// same if their own pages are, as where a feed and a network's own search find one post.
///
/// Posts are taken in the order of the merge, and each joins the first one before it that it is a copy
/// of.
struct LinkCopies {
  /// An earlier post that one is a copy of, by its number.
  enum Original: Hashable {
    /// It says the same.
    case alike(Int)
    /// It is the same, on the same page.
    case same(Int)

    var number: Int {
      switch self {
      case .alike(let number), .same(let number): number
      }
    }
  }

  /// With how many texts about one link a further one is compared; an equal one is always found.
  /// This bounds the work where a hundred thousand posts share one link.
  private static let mostTexts = 16

  private struct Text {
    let words: WordSet
    /// The number of the post that was the first to say it.
    let post: Int
  }

  /// A source on a server.
  private struct Origin: Hashable {
    let source: SourceName
    let server: ServerAddress
  }

  /// Posts that share their own page.
  private struct Sharers {
    /// The number of the first.
    let post: Int
    /// Where they are from. A feed gives one page to many entries, which are not the same.
    var origins: Set<Origin>
  }

  private var texts: [CanonicalLink: [Text]] = [:]
  private var exact: [CanonicalLink: [WordSet: Int]] = [:]
  private var pages: [CanonicalLink: Sharers] = [:]

  /// Takes the post of a number, and returns the earlier one that it is a copy of; nil where there is
  /// none.
  mutating func take(_ post: Post, number: Int) -> Original? {
    if let same = takePage(of: post, number: number) {
      _ = takeText(of: post, number: same)
      return .same(same)
    }
    return takeText(of: post, number: number).map(Original.alike)
  }

  /// Returns the first post of another origin that shares the post's own page.
  private mutating func takePage(of post: Post, number: Int) -> Int? {
    guard let page = Self.ownPage(of: post) else { return nil }
    let origin = Origin(source: post.source, server: post.server)
    guard let sharers = pages[page] else {
      pages[page] = Sharers(post: number, origins: [origin])
      return nil
    }
    return pages[page]?.origins.insert(origin).inserted == true ? sharers.post : nil
  }

  private static func ownPage(of post: Post) -> CanonicalLink? {
    post.url.flatMap(CanonicalLink.init).flatMap { $0.isSite ? nil : $0 }
  }

  /// Returns the first post that says the same.
  private mutating func takeText(of post: Post, number: Int) -> Int? {
    guard let link = Self.onlyLink(of: post) else { return nil }
    let words = WordSet(of: post)
    if let first = exact[link]?[words] { return first }
    let near = texts[link]?.first { $0.words.isNear(words) }
    exact[link, default: [:]][words] = near?.post ?? number
    if let near { return near.post }
    if texts[link, default: []].count < Self.mostTexts {
      texts[link, default: []].append(Text(words: words, post: number))
    }
    return nil
  }

  private static func onlyLink(of post: Post) -> CanonicalLink? {
    let links = post.links.isEmpty ? addresses(in: post.text) : post.links
    // A page of links is a copy of nothing, and not worth the time.
    guard (1...32).contains(links.count) else { return nil }
    let own = [post.url, post.server.text].compactMap(\.self).compactMap(CanonicalLink.init)
      .map(\.host)
    let outside = Set(links.compactMap(CanonicalLink.init).filter { !own.contains($0.host) })
    return outside.count == 1 ? outside.first : nil
  }

  /// The addresses that stand as words in the beginning of a text.
  private static func addresses(in text: String) -> [String] {
    text.prefix(WordSet.longestText).split(whereSeparator: \.isWhitespace).compactMap { word in
      guard let scheme = ["https://", "http://"].compactMap({ word.firstRange(of: $0) }).first
      else { return nil }
      var address = word[scheme.lowerBound...]
      while let last = address.last, ".,;:!?)]}>\"'”»…".contains(last) { address.removeLast() }
      return String(address)
    }
  }

  /// A hash that posts which may be joined share, by their link or else by their own page; two that
  /// share it need not be copies. Only a post with a link and one without, on the same page, are
  /// joined and have different ones.
  static func key(of post: Post) -> Int {
    (onlyLink(of: post) ?? ownPage(of: post))?.hashValue ?? post.identityHash
  }
}

extension Post {
  /// A hash for counting posts before copies are joined: nothing that comes later makes the count
  /// smaller. Seeded, as `Hasher` is.
  package var copyKey: Int { LinkCopies.key(of: self) }
}
