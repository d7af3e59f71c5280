internal import FoundationEssentials
package import PostHistory
internal import SearchModel
internal import Synchronization
internal import TextFormats

/// The posts beside a state that nobody has taken.
package struct Undelivered {
  /// A batch of the outbox, or a file.
  package enum Item {
    case batch(OutboxBatch)
    case given(UndeliveredPosts)

    package var batch: OutboxBatch? { if case .batch(let batch) = self { batch } else { nil } }

    /// The name by which the command line knows it.
    package var name: String {
      switch self {
      case .batch(let batch): String(batch.id)
      case .given(let posts): posts.name
      }
    }

    /// A line of ndjson for each post that was not taken.
    package var lines: [Substring] {
      switch self {
      case .batch(let batch): Array(batch.waiting)
      case .given(let posts): posts.lines.split(separator: "\n")
      }
    }

    /// Hands the posts to a receiver; returns those that it refused, those after them that it did not take, and why.
    package func send(
      to receiver: any Delivery.Receiver
    ) async -> (refused: [Substring], rest: [Substring], reason: String?) {
      let lines = lines
      // The number of posts that are done with, and those of them that were refused.
      let progress = Mutex((done: 0, refused: [Substring](), reason: String?.none))
      // The posts of a file are a batch that no server has seen.
      let token = batch?.token ?? String(UInt64.random(in: 0 ... .max), radix: 16)
      let failure = await receiver.take(
        lines, of: token, progress: { count in progress.withLock { $0.done += count } },
        refuse: { count, reason in
          progress.withLock { progress in
            progress.refused += lines[progress.done..<progress.done + count]
            progress.reason = reason
            progress.done += count
          }
          return nil
        })
      let (done, refused, reason) = progress.withLock { $0 }
      let rest = failure == nil ? [] : Array(lines[done...])
      return (refused, rest, failure?.reason ?? reason)
    }
  }

  private let store: (any HistoryStore)?

  /// - Parameter store: Nil where nothing has been kept yet.
  package init(in store: (any HistoryStore)?) { self.store = store }

  package func all() throws -> [Item] {
    guard let store else { return [] }
    return try store.batches(before: .distantFuture, except: []).map(Item.batch)
      + store.undelivered().map(Item.given)
  }

  package func item(named name: String) throws -> Item {
    let last = name.split(separator: "/").last.map(String.init) ?? name
    let item = try all().first { item in
      item.name == name || item.batch == nil && item.name == last
    }
    if let item { return item }
    throw CommandFailure(
      .nothing, "there is no undelivered batch or file '\(name)' (see: searchagg undelivered list)")
  }

  /// Keeps runs from delivering a batch meanwhile.
  package func lock(_ item: Item) throws -> any DeliveryLock {
    let key = item.batch?.receiver ?? "file \(item.name)"
    guard let lock = try store?.deliveryLock(for: key) else {
      throw CommandFailure(
        .unavailable, "another run is passing \(item.name) on; try again later")
    }
    return lock
  }

  package func remove(_ item: Item) throws {
    switch item {
    case .given(let posts): try store?.keep(UndeliveredPosts(name: posts.name, lines: ""))
    case .batch(let batch): try store?.remove(batch)
    }
  }

  /// Leaves posts that were refused, and the last ones.
  package func keep(_ item: Item, refused: [Substring], rest: [Substring]) throws {
    let done = item.lines.count - rest.count
    guard done > 0 else { return }
    switch item {
    case .given(let posts):
      let lines = (refused + rest).joined(separator: "\n") + "\n"
      try store?.keep(UndeliveredPosts(name: posts.name, lines: lines))
    case .batch(var batch):
      if !refused.isEmpty {
        try store?.keep(UndeliveredPosts(refused, of: batch, from: batch.taken + 1))
      }
      batch.taken += done
      if rest.isEmpty { try store?.remove(batch) } else { try store?.update(batch) }
    }
  }
}

extension UndeliveredPosts {
  /// The file of posts that a receiver has not taken.
  ///
  /// - Parameter first: The number of the first of them in their batch, for one of several files of it.
  init(_ lines: [Substring], of batch: OutboxBatch, from first: Int?) {
    let kind = batch.receiver.prefix { $0 != " " }
    let stamp = RFC3339.format(batch.created).prefix(19).replacing(":", with: "-")
    // States that share a folder count their batches each for itself.
    let part = first.map { "-\($0)" } ?? ""
    let number = "\(batch.id)-\(batch.token.prefix(8))\(part)"
    self.init(
      name: "\(stamp)-\(number)-\(kind).ndjson", lines: lines.joined(separator: "\n") + "\n")
  }
}
