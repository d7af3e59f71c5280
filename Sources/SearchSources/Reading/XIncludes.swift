internal import SearchModel
internal import TextFormats

/// The users, posts, media and polls that X's posts refer to, by id.
struct XIncludes {
  private(set) var users = NodeTable<PackedAuthor>()
  /// The users whose posts only their followers see.
  private var protected = NodeTable<Void>()
  private(set) var posts = NodeTable<JSONNode>()
  private(set) var media = NodeTable<PostAttachment>()
  /// The options of each poll, whose positions need not be those of the list.
  private(set) var polls = NodeTable<[String]>()

  init(_ node: JSONNode?, in draft: inout PageDraft) {
    guard let node else { return }
    for (key, list) in node.members {
      switch MemberKey(key) {
      case "users":
        users = NodeTable(expecting: min(list.childCount, 1000))
        for user in list.elements { add(user: user, in: &draft) }
      case "posts", "tweets":
        for post in list.elements { posts.set(post, for: post["id"]) }
      case "media":
        for medium in list.elements {
          if let file = attachment(medium) { media.set(file, for: medium["media_key"]) }
        }
      case "polls":
        for poll in list.elements {
          let options = poll.list("options").compactMap { option in
            option["label"]?.text.map { (option["position"]?.count ?? .max, $0) }
          }
          polls.set(options.sorted { $0.0 < $1.0 }.map(\.1), for: poll["id"])
        }
      default: continue
      }
    }
  }

  /// A medium; of a video there may be only the preview.
  private func attachment(_ medium: JSONNode) -> PostAttachment? {
    let preview = medium["preview_image_url"]?.address
    let video = TweetText.video(among: medium.list("variants"))
    return (medium["url"]?.string ?? video ?? preview).flatMap { address in
      address.isHTTPURL
        ? PostAttachment(
          address, kind: TweetText.kind(ofMedium: medium["type"]?.string),
          description: medium["alt_text"]?.string, thumbnail: preview) : nil
    }
  }

  func isProtected(_ id: JSONNode?) -> Bool { protected[id] != nil }

  private mutating func add(user: JSONNode, in draft: inout PageDraft) {
    var (id, username, fullName): (JSONNode?, JSONNode?, JSONNode?)
    var isProtected = false
    for (key, value) in user.members {
      switch MemberKey(key) {
      case "id": id = value
      case "username": username = value
      case "name": fullName = value
      case "protected": isProtected = value.bool == true
      default: continue
      }
    }
    if isProtected { protected.set((), for: id) }
    guard let name = username?.stringBytes, !name.isEmpty else { return }
    let url = draft.write { bytes in
      bytes.append("https://x.com/")
      PathPart.append(name, to: &bytes)
    }
    let author = PackedAuthor(
      handle: draft.keep(name, endOf: url), name: draft.keep(text: fullName), url: url)
    users.set(author, for: id)
  }
}
