internal import FoundationEssentials
internal import SearchModel
internal import TextFormats

/// Reads the statuses of Mastodon and of the software that speaks its API.
/// https://docs.joinmastodon.org/entities/Status/
enum MastodonStatus {
  /// Reads a status, and returns whether it is a post.
  static func read(
    _ item: JSONNode, into post: inout PackedPost, of draft: inout PageDraft
  ) -> Bool {
    guard item.kind == .object, let id = item["id"]?.identifier else { return false }
    let boosted = item["reblog"]
    let shown = boosted?["content"]?.kind == .string ? boosted ?? item : item
    var media = AttachmentList()
    for medium in shown.list("media_attachments") {
      media.add(
        (medium["url"] ?? medium["remote_url"] ?? medium["preview_url"])?.string,
        kind(of: medium["type"]?.string), type: medium["pleroma"]?["mime_type"]?.string,
        description: medium["description"]?.string, thumbnail: medium["preview_url"]?.string)
    }
    let content = shown["content"]?.string.map {
      HTMLText.read(
        $0, leavingOutLinksOf: ["mention", "hashtag"], relativeTo: shown["url"]?.address)
    }
    let warning = shown["spoiler_text"]?.string ?? ""
    guard content != nil || !warning.isEmpty || !media.isEmpty else { return false }
    let parts = [warning, content?.text ?? ""].filter { !$0.isEmpty }
    let url = item["url"]?.address ?? item["uri"]?.address
    let sender = author(item["account"], of: draft.server)
    let isRepost = boosted?["content"]?.kind == .string
    let uri = item["uri"]?.text ?? url ?? "\(draft.server.text)#\(id)"
    post.id = draft.keep(id)
    post.uri = draft.keep(uri)
    post.url = draft.keep(url)
    post.author = draft.keep(isRepost ? author(shown["account"], of: draft.server) : sender)
    post.text = draft.keep(parts.joined(separator: "\n\n"))
    post.createdAt = item["created_at"]?.rfc3339(allowing: .missingZone)
    post.editedAt = shown["edited_at"]?.rfc3339(allowing: .missingZone)
    post.language = draft.keep(text: shown["language"])
    post.topics = draft.list(topics: shown.textBytes("name", in: "tags"))
    post.links = draft.list(content?.links ?? [])
    post.attachments = draft.list(media.all)
    post.counts.likes = shown["favourites_count"]?.count
    post.counts.reposts = shown["reblogs_count"]?.count
    post.counts.replies = shown["replies_count"]?.count
    post.replyTo = draft.keep(identifier: shown["in_reply_to_id"])
    post.repostOf = draft.keep(boosted.flatMap { $0["uri"]?.string ?? $0["id"]?.identifier })
    if isRepost { post.repostedBy = draft.keep(sender) }
    post.isSensitive = shown["sensitive"]?.bool
    post.contentWarning = draft.keep(warning)
    post.poll = draft.list(lines: shown["poll"]?.texts("title", in: "options") ?? [])
    post.visibility = .narrower(item["visibility"]?.visibility, shown["visibility"]?.visibility)
    return true
  }

  /// The kind of a medium: silent videos have their own word, and some servers do not know it.
  private static func kind(of type: String?) -> PostAttachment.Kind? {
    type == "gifv" ? .video : type.flatMap(PostAttachment.Kind.init)
  }

  private static func author(_ account: JSONNode?, of server: ServerAddress) -> Author {
    guard let account else { return Author() }
    let url = account["url"]?.address
    let name = account["display_name"]?.text
    var handle = account["acct"]?.text ?? account["username"]?.text ?? ""
    let home = url.flatMap(ServerAddress.init)
    if !handle.isEmpty, !handle.utf8.contains(UInt8(ascii: "@")) {
      // Users of the server itself come without their host.
      handle += "@\((home ?? server).authority)"
    } else if let home, home.authority != home.host, handle.hasSuffix("@\(home.host)") {
      // Some servers omit the port.
      handle = handle.dropLast(home.host.count) + home.authority
    }
    return Author(handle: handle, name: name, url: url)
  }
}
