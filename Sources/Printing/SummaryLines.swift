internal import FoundationEssentials
package import SearchModel
internal import TextFormats

/// The words on standard error about how the searches ended.
package enum SummaryLines {
  /// How many queries a line names at most.
  private static let namedTags = 3

  /// Returns a line for each way in which searches of one server were not completed, in plan order:
  /// equal ones share it, the first queries by name and the rest by number.
  ///
  /// - Parameter isVerbose: Whether the completed ones that carry notes are told too.
  package static func lines(for outcomes: [SearchOutcome], isVerbose: Bool = false) -> [String] {
    let noNetwork = noNetwork(outcomes)
    var groups: [OutcomeGroup] = []
    var indices: [OutcomeGroup.Key: Int] = [:]
    // A signal ends all that is unfinished, whatever it is: that is one piece of news.
    let cancelled = cancelled(outcomes)
    for outcome in outcomes {
      if cancelled != nil, outcome.ending == .cancelled { continue }
      if case .completed(let notes) = outcome.ending, notes.isEmpty || !isVerbose { continue }
      if noNetwork != nil, case .failed = outcome.ending { continue }
      // One of the latest, as a rule: there are few ways to end, and few servers.
      if groups.indices.suffix(8).contains(where: { groups[$0].joinIfEqual(outcome) }) { continue }
      let group = OutcomeGroup(outcome)
      if let index = indices[group.key] {
        groups[index].join(group)
      } else {
        indices[group.key] = groups.count
        groups.append(group)
      }
    }
    return [noNetwork].compactMap(\.self)
      + groups.map { ControlCodes.strippedToLine($0.line(naming: namedTags)) }
      + [cancelled].compactMap(\.self)
  }

  /// Returns the line for several searches that a signal has ended; nil for fewer.
  private static func cancelled(_ outcomes: [SearchOutcome]) -> String? {
    var number = 0
    var sources: [SourceName] = []
    for outcome in outcomes where outcome.ending == .cancelled {
      number += 1
      if sources.last != outcome.source, !sources.contains(outcome.source) {
        sources.append(outcome.source)
      }
    }
    guard number > 1 else { return nil }
    let names = sources.prefix(sources.count > namedTags ? namedTags - 1 : namedTags)
    let rest = sources.count - names.count
    let list = names.map(\.rawValue).joined(separator: ", ")
    return
      "\(number) searches were cancelled: \(list)\(rest > 0 ? " and \(rest) more sources" : "")"
  }

  /// Returns the line for a run that reached none of several hosts; nil when it reached one.
  private static func noNetwork(_ outcomes: [SearchOutcome]) -> String? {
    var hosts: Set<String> = []
    for outcome in outcomes {
      switch outcome.ending {
      case .skipped: continue
      case .failed(let failure) where failure.isUnreachable:
        if let server = outcome.server { hosts.insert(server.host) }
      case .completed, .partial, .rateLimited, .failed, .cancelled: return nil
      }
    }
    guard hosts.count > 1 else { return nil }
    return "no network: none of \(hosts.count) hosts could be reached: check the connection"
  }

  /// Returns how a search ended, in the words of its line.
  package static func words(for outcome: SearchOutcome) -> String {
    ControlCodes.strippedToLine(OutcomeGroup(outcome).words.joined(separator: ": "))
  }

  /// Returns the line that closes a run on a terminal: how much was found where, and what is missing.
  package static func closing(_ posts: [Post], outcomes: [SearchOutcome]) -> String {
    let networks = Set(posts.lazy.map(\.source)).count
    let found =
      posts.isEmpty
      ? "no posts" : "\(count(posts.count, "post")) from \(count(networks, "network"))"
    let missing = [
      (outcomes.count(where: \.ending.isFailure), "failed"),
      (outcomes.count { $0.ending == .cancelled }, "cancelled"),
      (outcomes.count { if case .skipped = $0.ending { true } else { false } }, "skipped"),
    ]
    .filter { $0.0 > 0 }
    guard let first = missing.first else { return found }
    // The first says of how many: "2 of 12 searches failed, 1 skipped".
    let searches = "\(first.0) of \(count(outcomes.count, "search", "searches")) \(first.1)"
    let rest = missing.dropFirst().map { "\($0.0) \($0.1)" }
    return "\(found); \(([searches] + rest).joined(separator: ", "))"
  }

  /// Returns the line on what the run's filters left out; nil when that is nothing.
  package static func leftOut(_ tally: FilterTally) -> String? {
    let parts = tally.all.filter { $0.count > 0 }.map { reason, number in
      switch reason {
      case .words: "\(number) by words of --exclude"
      case .authors: "\(number) by authors of --exclude"
      case .reposts: count(number, "repost")
      case .replies: count(number, "reply", "replies")
      case .languages: "\(number) in other languages"
      case .languageUnknown: "\(number) without a language"
      case .likes: "\(number) by --min-likes"
      case .signedOut: "\(number) by authors who are shown only to people who are signed in"
      case .undated: "\(number) undated"
      }
    }
    return parts.isEmpty ? nil : "left out: \(parts.joined(separator: ", "))"
  }

  private static func count(_ number: Int, _ one: String, _ many: String? = nil) -> String {
    number == 1 ? "1 \(one)" : "\(number) \(many ?? one + "s")"
  }
}
