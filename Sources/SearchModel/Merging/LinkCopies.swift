internal import TextFormats

/// Finds posts that are copies of one another by their links.
///
/// Two posts are alike if they share their only outside link and at least two thirds of their words. An
/// outside link leads to another host than the post's own; if a network lists no links, those in the
/// text count. And two posts from different servers or networks are the same if they have the same page,
/// for example when a feed and a network's own search find one post.
///
/// Posts are taken in the order of the merge, and each joins the first one of which it is a copy.
struct LinkCopies {
  /// The earlier post of which a post is a copy, by its number.
  enum Original: Hashable {
    /// It has the same link and nearly the same text.
    case alike(Int)
    /// It has the same page.
    case same(Int)

    var number: Int {
      switch self {
      case .alike(let number), .same(let number): number
      }
    }
  }

  /// The maximum number of texts about one link that a further one is compared with; an equal one is
  /// always found. It bounds the work if a hundred thousand posts share one link.
  static let mostTexts = 16

  private struct Text {
    let words: WordSet
    /// The number of the first post with this text.
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
    /// Their origins. A feed may have one page for many entries, which are different posts.
    var origins: Set<Origin>
  }

  private var texts: [CanonicalLink: [Text]] = [:]
  private var exact: [CanonicalLink: [WordSet: Int]] = [:]
  private var pages: [CanonicalLink: Sharers] = [:]

  /// Takes the next post with its number, and returns the earlier one of which it is a copy, if any.
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

  /// Returns the first post with the same link and nearly the same text.
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
    let beginning = post.text.prefix(WordSet.longestText)
    let links =
      post.links.isEmpty
      ? WebLink.urls(in: String(beginning), isExcerpt: beginning.endIndex < post.text.endIndex)
      : post.links
    // A list of links is a copy of nothing, and not worth the time.
    guard (1...32).contains(links.count) else { return nil }
    let own = [post.url, post.server.text].compactMap(\.self).compactMap(CanonicalLink.init)
      .map(\.host)
    let outside = Set(links.compactMap(CanonicalLink.init).filter { !own.contains($0.host) })
    return outside.count == 1 ? outside.first : nil
  }

  /// A hash that copies share, by their link or else by their own page; posts that share it need not be
  /// copies. Only a post with a link and one without, on the same page, are copies with different
  /// hashes.
  static func key(of post: Post) -> Int {
    (onlyLink(of: post) ?? ownPage(of: post))?.hashValue ?? post.identityHash
  }
}

extension Post {
  /// A hash for counting posts before copies are joined, so that the count never decreases later; seeded,
  /// as `Hasher` is.
  package var copyKey: Int { LinkCopies.key(of: self) }
}

/// The words of a text as a set of hashes, to recognize nearly equal texts.
///
/// Addresses and names with `@` are ignored, as copies on other networks differ in them.
struct WordSet: Hashable, Sendable {
  /// The maximum number of words: hostile texts are long, and the beginnings of copies are alike.
  private static let most = 64
  static let longestText = 4096

  /// Sorted and without duplicates; seeded, as `Hasher` is, so that nobody can create collisions.
  private let hashes: [Int]

  init(of post: Post) {
    var hashes: Set<Int> = []
    for text in [post.title ?? "", post.text] {
      for word in text.prefix(Self.longestText).split(whereSeparator: \.isWhitespace) {
        guard word.first != "@", !word.contains("://") else { continue }
        for part in word.split(whereSeparator: { !$0.isLetter && !$0.isNumber }) {
          if hashes.count < Self.most { hashes.insert(part.lowercased().hashValue) }
        }
      }
    }
    self.hashes = hashes.sorted()
  }

  /// Returns whether two texts share at least two thirds of their words.
  func isNear(_ other: WordSet) -> Bool {
    let counts = (hashes.count, other.hashes.count)
    guard min(counts.0, counts.1) * 3 >= max(counts.0, counts.1) * 2 else { return false }
    var shared = 0
    var one = 0
    var two = 0
    while one < hashes.count, two < other.hashes.count {
      if hashes[one] == other.hashes[two] {
        shared += 1
        one += 1
        two += 1
      } else if hashes[one] < other.hashes[two] {
        one += 1
      } else {
        two += 1
      }
    }
    let all = hashes.count + other.hashes.count - shared
    return shared * 3 >= all * 2
  }
}

/// An address in the form by which copies of a post are found: two addresses of one page are equal.
struct CanonicalLink: Hashable, Sendable {
  /// The longest address that is compared, in bytes.
  private static let longest = 2048
  private static let campaigns: Set<String> = ["fbclid", "gclid"]

  /// The host in lower case, with its port unless that is the scheme's default.
  let host: String
  /// The path without a trailing slash, and the query without campaign parameters (`utm_…`).
  private let pathAndQuery: String

  /// True if it is the address of a site, and not of a page.
  var isSite: Bool { pathAndQuery.isEmpty }

  /// Reads an http or https address; the two schemes are equivalent, and the fragment is ignored.
  init?(_ address: String) {
    guard address.utf8.count <= Self.longest, let separator = address.firstRange(of: "://"),
      ["http", "https"].contains(address[..<separator.lowerBound].lowercased())
    else { return nil }
    var address = address[separator.upperBound...]
    if let fragment = address.firstIndex(of: "#") { address = address[..<fragment] }
    let end = address.firstIndex { $0 == "/" || $0 == "?" } ?? address.endIndex
    var host = address[..<end].lowercased()
    for port in [":80", ":443"] where host.hasSuffix(port) { host.removeLast(port.count) }
    guard !host.isEmpty else { return nil }
    self.host = host
    let mark = address.firstIndex(of: "?") ?? address.endIndex
    var path = address[end..<mark]
    while path.hasSuffix("/") { path.removeLast() }
    let items = address[mark...].dropFirst().split(separator: "&").filter { item in
      let name = item.prefix { $0 != "=" }.lowercased()
      return !name.hasPrefix("utm_") && !Self.campaigns.contains(name)
    }
    pathAndQuery = items.isEmpty ? String(path) : "\(path)?\(items.joined(separator: "&"))"
  }
}
