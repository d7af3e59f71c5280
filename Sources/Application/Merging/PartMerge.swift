internal import FoundationEssentials
internal import Printing
internal import SearchModel

/// Joins the outputs of the parts of a plan to what one run of the whole plan would have printed.
package struct PartMerge {
  private let files: [PartFile]
  /// A line for each part that is missing or cut off.
  private var gaps: [String]
  /// The last record of the first whole part, with which the others must agree.
  private let first: PartFile.Closing

  /// Reads the files, and refuses those that do not belong together.
  package init(_ paths: [String], in surroundings: Surroundings) throws {
    var files: [PartFile] = []
    var gaps: [String] = []
    for path in paths {
      do throws(PartFile.Fault) {
        let file = try PartFile(path: path, in: surroundings)
        files.append(file)
        if file.closing == nil {
          gaps.append("\(path) is cut off: \(file.posts.count) of its posts are used")
        }
      } catch {
        switch error {
        case .unreadable(let error): gaps.append("\(error)")
        case .other(let reason): throw CommandFailure(.malformedInput, "\(path) \(reason)")
        }
      }
    }
    guard let first = files.compactMap(\.closing).first else {
      throw CommandFailure(
        .malformedInput, "no whole part to merge: \(gaps.joined(separator: "; "))")
    }
    self.first = first
    self.files = files
    self.gaps = gaps
    try checkParts()
  }

  /// Refuses parts of different plans and equal parts, and notes which are missing.
  private mutating func checkParts() throws {
    var paths: [Int: String] = [:]
    for file in files {
      guard let part = file.closing?.part else { continue }
      guard part.plan == first.part.plan, part.count == first.part.count else {
        throw CommandFailure(
          .malformedInput,
          "\(file.path) is a part of another plan: run all parts with the same tags and options")
      }
      if let other = paths[part.number] {
        throw CommandFailure(
          .malformedInput, "\(other) and \(file.path) are both part \(part.number)")
      }
      if let field = part.fields.flatMap({ fields in
        Self.neededFields.first { !fields.contains($0) }
      }) {
        throw CommandFailure(
          .malformedInput,
          "\(file.path) has no \(field), which merging needs: run the parts without --fields")
      }
      paths[part.number] = file.path
    }
    let missing = (1...first.part.count).filter { paths[$0] == nil }
    guard !missing.isEmpty else { return }
    let numbers = missing.prefix(Self.mostNamed).map(String.init).joined(separator: ", ")
    let more = missing.count > Self.mostNamed ? " and \(missing.count - Self.mostNamed) more" : ""
    gaps.append(
      "\(missing.count == 1 ? "part" : "parts") \(numbers)\(more) of \(first.part.count) "
        + "\(missing.count == 1 ? "is" : "are") missing")
  }

  private static let mostNamed = 20
  private static let neededFields =
    FieldSelection([.id, .source, .server, .uri, .createdAt, .tags]).paths

  /// True if posts of all parts have all fields.
  private var hasAllFields: Bool {
    files.allSatisfy { $0.closing.map { $0.part.fields == nil } ?? true }
  }

  /// Gives the whole the now and the number of posts of its parts.
  package func apply(to written: inout WrittenSettings) {
    written.now = files.compactMap(\.closing?.now).max() ?? written.now
    written.limit = written.limit ?? first.part.newest
  }

  /// Prints the whole, and returns the exit status of the whole run.
  package func perform(
    _ settings: RunSettings, in surroundings: Surroundings
  ) throws -> CommandStatus {
    guard hasAllFields || [.json, .ndjson].contains(settings.output.format) else {
      throw CommandFailure(
        .usage,
        "\(settings.output.format.rawValue) needs all fields: run the parts without --fields")
    }
    for gap in gaps { surroundings.report(gap) }
    let outcomes = outcomes
    let posts = settings.merge().posts(of: found(by: outcomes))
    var excluded = FilterTally()
    for closing in files.compactMap(\.closing) { excluded.add(closing.excluded) }
    let alerts = files.compactMap(\.closing).flatMap(\.alerts)
    try RunPrinter(settings: settings, surroundings: surroundings).write(
      posts, outcomes: outcomes,
      isIncomplete: !gaps.isEmpty || outcomes.contains(where: \.ending.isIncomplete)
        || !outcomes.unaskedTags.isEmpty,
      excluded: excluded, alerts: alerts)
    let status = RunVerdict(
      outcomes: outcomes, postCount: posts.count, failOn: settings.verdict.failOn,
      failsOnEmpty: settings.verdict.failsOnEmpty, hasSilence: alerts.hasSilence
    ).status
    return status == .success && !gaps.isEmpty && settings.verdict.failOn != .none
      ? .partial : status
  }

  /// The outcomes in the order of the whole plan.
  private var outcomes: [SearchOutcome] {
    files.compactMap(\.closing)
      .flatMap { zip($0.part.places, $0.outcomes) }
      .sorted { $0.0 < $1.0 }.map(\.1)
  }

  /// The posts by the searches that found them, in the order of the whole plan: on which the copy that is
  /// shown and the order of its tags depend.
  private func found(by outcomes: [SearchOutcome]) -> [FoundPosts] {
    var places: [Search: Int] = [:]
    var found: [FoundPosts] = []
    for outcome in outcomes {
      guard let server = outcome.server else { continue }
      let search = Search(tag: outcome.tag, source: outcome.source, server: server)
      guard places[search] == nil else { continue }
      places[search] = found.count
      found.append(FoundPosts(tag: outcome.tag, posts: []))
    }
    for post in files.lazy.flatMap(\.posts) {
      for tag in post.tags {
        let search = Search(tag: tag, source: post.source, server: post.server)
        let place = places[search] ?? found.count
        if place == found.count {
          // Of a part that was cut off.
          places[search] = place
          found.append(FoundPosts(tag: tag, posts: []))
        }
        found[place].posts.append(post)
      }
    }
    return found
  }

  private struct Search: Hashable {
    let tag: String
    let source: SourceName
    let server: ServerAddress
  }
}
