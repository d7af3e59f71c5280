package import FoundationEssentials

/// The outcome of one search.
package struct SearchOutcome: Hashable, Sendable {
  /// The query of the tag.
  package var tag: String
  /// True if that is in the network's own syntax.
  package var isRaw = false
  package var source: SourceName
  /// The server's base address; nil if there is none.
  package var server: ServerAddress?
  package var ending: Ending
  /// The number of posts, before merging and the limit; nil if it depends on the order of arrival.
  package var posts: Int?
  /// The number of responses used, including shared ones; nil like `posts`.
  package var pages: Int?
  /// True if the default bound on costs ended it although the run wants more, which counts as completed.
  package var isCutByDefault = false

  package init(tag: String, source: SourceName, server: ServerAddress?, ending: Ending) {
    self.tag = tag
    self.source = source
    self.server = server
    self.ending = ending
  }
}

/// The outcome of a search, of which there are six kinds.
// A run may have a million searches: a pointer each, and those that end alike share what it points to.
package enum Ending: Hashable, Sendable {
  /// Answered; the notes are other messages of the network.
  case completed(notes: [String] = [])
  /// The network cannot answer this query, or needs a credential that was not given.
  indirect case skipped(reason: String, needsCredential: Bool = false)
  /// Some items or pages are missing: the number of broken items, and perhaps a failure after the first
  /// page.
  indirect case partial(
    brokenItems: Int, reason: String?, failure: Failure? = nil, notes: [String] = [])
  /// Too many requests, until a moment if the network named one.
  indirect case rateLimited(until: Date?, failure: Failure)
  /// Rejected, unreachable or unreadable.
  indirect case failed(Failure)
  /// Ended by a signal before there was an answer.
  case cancelled

  /// True if posts may be missing.
  package var isIncomplete: Bool {
    switch self {
    case .completed, .skipped: false
    case .partial, .rateLimited, .failed, .cancelled: true
    }
  }

  /// True if it counts as failed in the exit status.
  package var isFailure: Bool {
    switch self {
    case .completed, .skipped, .cancelled: false
    case .partial, .rateLimited, .failed: true
    }
  }

  /// True if there was at least part of an answer.
  package var isAnswered: Bool {
    switch self {
    case .completed, .partial: true
    case .skipped, .rateLimited, .failed, .cancelled: false
    }
  }
}

/// An error of a search, for people and for scripts.
package struct Failure: Error, Hashable, Sendable {
  /// True if another attempt may succeed.
  package enum Kind: String, Hashable, Sendable {
    /// Worth another attempt later: 5xx, 429, a timeout, no connection, time is up.
    case temporary
    /// Not worth another attempt: 4xx, or a response that cannot be read.
    case permanent
    /// The credential is missing, or was rejected.
    case credential
  }

  package var kind: Kind
  /// The HTTP status, if there was a response.
  package var status: Int?
  /// The error on one line in lower case, without secrets and control codes.
  package var message: String
  /// The advice, in a few words, if anything helps.
  package var advice: String?
  /// The moment to ask again, if the server named one.
  package var until: Date?
  /// True if there was no connection at all.
  package var isUnreachable: Bool
  /// True if the server could not be reached, or never sent anything.
  package var isUnanswered: Bool

  package init(
    _ kind: Kind, status: Int? = nil, message: String, advice: String? = nil, until: Date? = nil,
    isUnreachable: Bool = false, isUnanswered: Bool = false
  ) {
    self.kind = kind
    self.status = status
    self.message = message
    self.advice = advice
    self.until = until
    self.isUnreachable = isUnreachable
    self.isUnanswered = isUnanswered || isUnreachable
  }
}

/// A tag whose searches were all skipped: a failure of the tag, although no search failed.
package struct UnaskedTag: Hashable, Sendable {
  package var tag: String
  /// True if a credential would have allowed at least one search.
  package var needsCredential: Bool
}

extension [SearchOutcome] {
  /// The tags whose searches were all skipped, in the order of their outcomes.
  package var unaskedTags: [UnaskedTag] {
    // There may be millions of outcomes, and usually none is skipped.
    guard contains(where: \.isSkipped) else { return [] }
    var asked: Set<String> = []
    for outcome in self where !outcome.isSkipped { asked.insert(outcome.tag) }
    var tags: [UnaskedTag] = []
    var indices: [String: Int] = [:]
    for outcome in self where outcome.isSkipped && !asked.contains(outcome.tag) {
      let index = indices[outcome.tag] ?? tags.endIndex
      if index == tags.endIndex {
        indices[outcome.tag] = index
        tags.append(UnaskedTag(tag: outcome.tag, needsCredential: false))
      }
      if case .skipped(_, needsCredential: true) = outcome.ending {
        tags[index].needsCredential = true
      }
    }
    return tags
  }

  /// True if posts may be missing: a search was incomplete, or no source could search for a tag.
  package var isIncomplete: Bool { contains(where: \.ending.isIncomplete) || !unaskedTags.isEmpty }
}

extension SearchOutcome {
  package var isSkipped: Bool { if case .skipped = ending { true } else { false } }
}

/// Something unusual about the posts of a tag.
package struct TagAlert: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// No post for longer than expected: since its newest post, or since its first run.
    case silent(since: Date)
    /// More posts in the last hour than usual in this hour of the day.
    case spike(rate: Int, usual: Double)
  }

  /// The query of the tag.
  package var tag: String
  package var kind: Kind

  package init(tag: String, kind: Kind) {
    self.tag = tag
    self.kind = kind
  }
}

extension [TagAlert] {
  /// True if a tag has been without a post for longer than expected.
  package var hasSilence: Bool {
    contains { if case .silent = $0.kind { true } else { false } }
  }
}
