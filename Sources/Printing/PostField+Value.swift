internal import FoundationEssentials
package import SearchModel
internal import TextFormats

extension PostField {
  /// A field's value for formats of texts.
  enum Value: Hashable {
    case string(String)
    case date(Date)
    case integer(Int)
    case boolean(Bool)
    case list([String])
  }

  /// Returns the field's value in a post; nil where it is unknown or empty.
  func value(in post: PostValues) -> Value? {
    switch place {
    case .text(let slot): post.text(slot).map { .string(Self.string($0)) }
    case .handle(let slot):
      post.text(slot).flatMap { $0.isEmpty ? nil : .string(Self.string($0)) }
    case .list(let slot, _): post.list(slot).map { .list($0.map(Self.string)) }
    case .created: post.createdAt.flatMap(Self.date)
    case .date(let slot): post.date(slot).flatMap(Self.date)
    case .number(let slot): post.number(slot).map(Value.integer)
    case .flag(let slot): post.flag(slot).map(Value.boolean)
    case .visibility(let slot): post.visibility(slot).map { .string($0.rawValue) }
    case .addresses(let slot): Self.list(post.attachments(slot).map(\.url))
    case .attachments(let slot): Self.list(post.attachments(slot).map(\.json))
    case .context(.source): .string(post.source.rawValue)
    case .context(.server): .string(post.server.text)
    case .context(.future): post.isFuture ? .boolean(true) : nil
    case .context(.tags): Self.list(post.tags)
    case .context(.also): Self.list(post.also.map(\.address))
    }
  }

  /// Returns the same as one text, with commas between the elements of a list.
  package func text(in post: PostValues) -> String? {
    switch value(in: post) {
    case .string(let text): text
    case .date(let date): RFC3339.format(date)
    case .integer(let number): "\(number)"
    case .boolean(let value): "\(value)"
    case .list(let texts): texts.joined(separator: ", ")
    case nil: nil
    }
  }

  private static func string(_ text: UnsafeBufferPointer<UInt8>) -> String {
    String(decoding: text, as: UTF8.self)
  }

  private static func date(_ date: Date) -> Value? {
    RFC3339.canWrite(date) ? .date(date) : nil
  }

  private static func list(_ texts: [String]) -> Value? { texts.isEmpty ? nil : .list(texts) }
}
