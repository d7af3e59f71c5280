internal import SearchModel
internal import TextFormats

/// What stands beside X's posts for them to refer to, by id.
struct XIncludes {
  private(set) var users: [String: Author] = [:]
  private(set) var posts: [String: JSONNode] = [:]
  private(set) var media: [String: String] = [:]

  init(_ node: JSONNode?) {
    guard let node else { return }
    for (key, list) in node.members {
      switch MemberKey(key) {
      case "users":
        users.reserveCapacity(min(list.childCount, 1000))
        for user in list.elements { add(user: user) }
      case "posts", "tweets":
        for post in list.elements {
          if let id = post["id"]?.identifier { posts[id] = post }
        }
      case "media":
        for medium in list.elements {
          guard let key = medium["media_key"]?.string else { continue }
          media[key] = medium["url"]?.string ?? medium["preview_image_url"]?.string
        }
      case _: continue
      }
    }
  }

  private mutating func add(user: JSONNode) {
    guard let id = user["id"]?.identifier, let handle = user["username"]?.text else { return }
    users[id] = Author(
      handle: handle, name: user["name"]?.text, url: "https://x.com/" + PathPart.of(handle))
  }
}
