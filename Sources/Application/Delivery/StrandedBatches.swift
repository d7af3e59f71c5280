internal import FoundationEssentials
internal import PostHistory
internal import SearchModel

/// The batches of the outbox that no run delivers any more, for example after the text of `--exec` was
/// changed.
struct StrandedBatches: Hashable, Sendable {
  /// The time without an attempt, in seconds, after which a run names them.
  static let rest = 3600.0

  /// The number of posts of each receiver, by the receiver's key.
  let posts: [String: Int]

  /// - Parameter batches: Those of receivers that this run does not have.
  init(_ batches: [OutboxBatch], now: Date) {
    var asked: [String: Date] = [:]
    var posts: [String: Int] = [:]
    for batch in batches {
      // An attempt that failed has put off the next one from then on.
      let latest = max(batch.created, batch.retry ?? batch.created)
      asked[batch.receiver] = max(asked[batch.receiver] ?? latest, latest)
      posts[batch.receiver, default: 0] += batch.waiting.count
    }
    self.posts = posts.filter { receiver, _ in
      asked[receiver].map { now.timeIntervalSince($0) > Self.rest } ?? false
    }
  }

  init(
    in outbox: any HistoryStore, except receivers: [any Delivery.Receiver], now: Date
  ) throws(HistoryError) {
    self.init(
      try outbox.batches(before: .distantFuture, except: receivers.map(\.key)), now: now)
  }

  /// One line that names them; nil for none.
  var line: String? {
    guard !posts.isEmpty else { return nil }
    let sum = posts.values.reduce(0, +)
    let names = Set(posts.keys.map { OutboxReceiver(key: $0).name }).sorted()
    let posts = Plural.count(sum, "post waits", "posts wait")
    return "\(posts) for \(names.inWords("and")) that no run has used for an hour "
      + "(see: searchagg undelivered list)"
  }
}

/// A receiver as the outbox names it.
package struct OutboxReceiver: Hashable, Sendable {
  package let key: String

  package init(key: String) { self.key = key }

  /// The name for people. A command's text may be long, and hold secrets.
  package var name: String {
    guard let channel else { return "another --exec command" }
    return "channel '\(channel)'"
  }

  /// The option that asks for it.
  package var option: String {
    if let channel { return "--notify \(channel)" }
    return "--exec '\(key.dropFirst("exec ".count))'"
  }

  private var channel: Substring? {
    key.hasSuffix(" notify") ? key.dropLast(" notify".count) : nil
  }
}
