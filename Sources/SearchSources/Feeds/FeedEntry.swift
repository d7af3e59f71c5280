internal import FoundationEssentials
internal import SearchModel

/// One entry of a feed, in the terms that all formats share.
struct FeedEntry: Hashable, Sendable {
  /// The entry's own identifier: `guid`, `id` or `rdf:about`.
  var id: String?
  /// The page for people.
  var link: String?
  /// Plain, on one line.
  var title: String?
  /// Plain; empty when there is none.
  var text = ""
  var authors: [FeedPerson] = []
  var published: Date?
  var updated: Date?
  /// BCP 47, as it says it.
  var language: String?
  var categories: [String] = []
  /// Addresses that it links to, in order, each once.
  var links: [String] = []
  /// Addresses of pictures, films and sound.
  var media: [String] = []
  /// The number of comments.
  var comments: Int?
  /// The identifier of the entry that it answers.
  var replyTo: String?

  /// When it was written, as far as it says.
  var date: Date? { published ?? updated }

  /// Whether it says nothing at all.
  var isEmpty: Bool {
    id == nil && link == nil && title == nil && text.isEmpty && authors.isEmpty && date == nil
      && media.isEmpty && categories.isEmpty
  }

  /// The name of its author or authors; nil when it names none.
  var author: Author? {
    guard let first = authors.first else { return nil }
    let names = authors.compactMap { $0.name ?? $0.email }
    return Author(
      name: names.isEmpty ? nil : names.joined(separator: ", "),
      url: authors.count == 1 ? first.url : nil)
  }
}
