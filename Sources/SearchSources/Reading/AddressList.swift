internal import SearchModel
internal import TextFormats

/// Web addresses in their order, each once.
///
/// An answer may contain any number of them, and each is compared with those before it: only the first
/// thousand are kept.
struct AddressList {
  static let most = 1000

  private(set) var all: [String] = []

  init() {}

  /// The addresses in a text; see `add(urlsIn:)`.
  init(urlsIn text: String, except own: String?, isExcerpt: Bool = false) {
    add(urlsIn: text, except: own, isExcerpt: isExcerpt)
  }

  /// Adds an address if it is http or https.
  mutating func add(_ address: String?) {
    guard all.count < Self.most, let address, address.isHTTPURL, !all.contains(address)
    else { return }
    all.append(address)
  }

  mutating func add(_ addresses: [String]) {
    for address in addresses { add(address) }
  }

  /// Adds the addresses in a text that is plain or in Markdown.
  ///
  /// - Parameters:
  ///   - own: The post's own address, which is left out.
  ///   - isExcerpt: True if the text may end in the middle of an address.
  mutating func add(urlsIn text: String, except own: String?, isExcerpt: Bool = false) {
    for url in WebLink.urls(in: text, isExcerpt: isExcerpt) where url != own { add(url) }
  }
}

/// The attachments of a post in their order, each address once; as many as an `AddressList` keeps.
struct AttachmentList {
  private static let most = 1000

  private(set) var all: [PostAttachment] = []

  var isEmpty: Bool { all.isEmpty }

  var isFull: Bool { all.count >= Self.most }

  /// Adds an attachment if its address is http or https.
  mutating func add(
    _ address: String?, _ kind: PostAttachment.Kind? = nil, type: String? = nil,
    description: String? = nil, thumbnail: String? = nil
  ) {
    guard !isFull, let address, address.isHTTPURL, !all.contains(where: { $0.url == address })
    else { return }
    all.append(
      PostAttachment(
        address, kind: kind, type: type, description: description,
        thumbnail: thumbnail.flatMap { $0.isHTTPURL ? $0 : nil }))
  }

  mutating func add(_ attachments: [PostAttachment]) {
    for attachment in attachments
    where !isFull && !all.contains(where: { $0.url == attachment.url }) {
      all.append(attachment)
    }
  }
}

/// The same for addresses in an answer, valid as long as its nodes.
struct NodeAddresses {
  private(set) var all = ShortList<UnsafeBufferPointer<UInt8>>()

  mutating func add(_ address: JSONNode?) {
    guard all.count < AddressList.most, let bytes = address?.stringBytes, bytes.isHTTPURL,
      !all.contains(where: { $0.elementsEqual(bytes) })
    else { return }
    all.append(bytes)
  }
}
