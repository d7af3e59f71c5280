import FoundationEssentials
package import SearchModel

extension Post {
  /// A post with what must be there, and a value of one field, whatever its type.
  package static func having(_ field: PostField) -> Post? {
    guard let server = ServerAddress("https://a.example") else { return nil }
    var draft = PageDraft(source: "forum", server: server)
    var record = PackedPost(id: draft.keep("1"), uri: draft.keep("https://a.example/1"))
    // An address, which any text may be.
    let text = "https://a.example/\(field)"
    switch field.place {
    case .text(let slot), .handle(let slot): record[slot] = draft.keep(text)
    case .list(let slot, let rule): record[slot] = draft.list([text], rule)
    case .created(let slot), .date(let slot):
      record[slot] = .init(timeIntervalSince1970: 1_795_000_000)
    case .number(let slot): record[slot] = 7
    case .flag(let slot): record[slot] = true
    case .visibility(let slot): record[slot] = .unlisted
    case .addresses(let slot): record[slot] = draft.list([PostAttachment(text)])
    case .attachments(let slot):
      record[slot] = draft.list([
        PostAttachment(text, type: "image/png", description: "a parrot")
      ])
    case .context: break
    }
    // A repost has an account, even if nothing is known of it.
    if case .handle(let slot) = PostField.reposterHandle.place,
      field.description.group.map({ "\($0)" }) == "reposted_by", field != .reposterHandle
    {
      record[slot] = draft.keep("")
    }
    draft.add(record)
    var post = draft.posts().first
    switch field.place {
    case .context(.tags): post?.tags = ["swift"]
    case .context(.also): post?.also = [PostCopy(source: "x", address: text)]
    case .context(.future): post?.isFuture = true
    default: break
    }
    return post
  }
}
