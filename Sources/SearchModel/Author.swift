/// Who wrote a post.
package struct Author: Hashable, Sendable {
  /// The name that is unique on the network, without `@`; empty when it is unknown.
  package var handle: String
  /// The name for people.
  package var name: String?
  /// The page for people.
  package var url: String?

  package init(handle: String = "", name: String? = nil, url: String? = nil) {
    self.handle = handle
    self.name = name
    self.url = url
  }
}
