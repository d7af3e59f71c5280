internal import FoundationEssentials
internal import Printing
internal import SafeFiles
internal import SearchModel

/// Joins the outputs of the parts of a plan to what one run of the whole plan would have printed.
package struct PartMerge {
  private let files: [PartFile]
  private let apart: PostsApart
  /// A line for each part that is missing or cut off.
  private var gaps: [String]
  /// The last record of the first whole part, with which the others must agree.
  private let first: PartFile.Closing

  /// Reads the files, of which `-` is standard input, and refuses those that do not belong together.
  package init(_ paths: [String], in surroundings: Surroundings) throws {
    var files: [PartFile] = []
    var apart = PostsApart()
    var gaps: [String] = []
    let blockSize = min(max(Self.blockBytes / max(paths.count, 1), 1 << 14), 1 << 20)
    for path in paths {
      let isInput = path == "-"
      let name = isInput ? "standard input" : path
      var file: PartFile
      do throws(FileReadError) {
        file = try PartFile(
          name, at: isInput ? "/dev/stdin" : surroundings.absolutePath(path), blockSize: blockSize)
      } catch {
        gaps.append("\(error)")
        continue
      }
      do {
        try file.read { apart.add($0, ofFile: files.count) }
      } catch let fault as PartFile.Fault {
        throw CommandFailure(.malformedInput, "\(name) \(fault.reason)")
      }
      if file.closing == nil {
        gaps.append(
          "\(name) lacks its outcomes (was it cut off, or run with --posts-only?): "
            + "\(Plural.count(file.count, "post")) of it used")
      }
      files.append(file)
    }
    guard let first = files.compactMap(\.closing).first else {
      throw CommandFailure(
        files.isEmpty ? .unreadableInput : .malformedInput,
        "nothing to merge: no part is complete: \(gaps.joined(separator: "; "))")
    }
    self.first = first
    self.files = files
    self.apart = apart
    self.gaps = gaps
    try checkParts()
  }

  /// Refuses parts of different plans and equal parts, and notes which are missing.
  private mutating func checkParts() throws {
    var names: [Int: String] = [:]
    for file in files {
      guard let part = file.closing?.part else { continue }
      guard part.plan == first.part.plan, part.count == first.part.count else {
        throw CommandFailure(
          .malformedInput,
          "\(file.name) is a part of another plan: run all parts with the same tags and options")
      }
      if let other = names[part.number] {
        throw CommandFailure(
          .malformedInput,
          other == file.name
            ? "\(other) was given twice" : "\(other) and \(file.name) are both part \(part.number)")
      }
      if let field = part.fields.flatMap({ fields in
        Self.neededFields.first { !fields.contains($0) }
      }) {
        throw CommandFailure(
          .malformedInput,
          "\(file.name) has no \(field), which merging needs: run the parts without --fields")
      }
      names[part.number] = file.name
    }
    let missing = (1...first.part.count).filter { names[$0] == nil }
    guard !missing.isEmpty else { return }
    let numbers = missing.prefix(Self.mostNamed).map(String.init).joined(separator: ", ")
    let more = missing.count > Self.mostNamed ? " and \(missing.count - Self.mostNamed) more" : ""
    gaps.append(
      "\(missing.count == 1 ? "part" : "parts") \(numbers)\(more) of \(first.part.count) "
        + "\(missing.count == 1 ? "is" : "are") missing")
  }

  private static let mostNamed = 20
  /// The bytes of all parts that are held at once.
  private static let blockBytes = 16 << 20
  /// The posts that are laid out at once.
  private static let batchSize = 8192
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
    let merge = settings.merge()
    let searches = PartSearches(of: files)
    let outcomes = searches.outcomes
    var excluded = FilterTally()
    for closing in files.compactMap(\.closing) { excluded.add(closing.excluded) }
    let alerts = files.compactMap(\.closing).flatMap(\.alerts)
    let printer = RunPrinter(settings: settings, surroundings: surroundings)
    var result = RunResult(
      outcomes: outcomes, isIncomplete: !gaps.isEmpty || outcomes.isIncomplete, excluded: excluded,
      alerts: alerts, now: settings.now)
    let postCount: Int
    if merge.keepsOrder, merge.limit == nil, printer.canWriteBatches {
      var posts = try merged(merge, searches)
      postCount = try printer.write(result) { try posts.next(Self.batchSize) }
    } else {
      result.posts = try all(merge, searches)[...]
      try printer.write(result)
      postCount = result.posts.count
    }
    let status = RunVerdict(
      outcomes: outcomes, postCount: postCount, failOn: settings.verdict.failOn,
      failsOnEmpty: settings.verdict.failsOnEmpty, hasSilence: alerts.hasSilence
    ).status
    return status == .success && !gaps.isEmpty && settings.verdict.failOn != .none
      ? .partial : status
  }

  /// Returns all posts up to the limit, for what needs them at once: a limit, another order, copies found
  /// by their links, a screen, and formats that begin with what is known at the end.
  private func all(_ merge: Merge, _ searches: PartSearches) throws -> [Post] {
    if merge.keepsOrder {
      var posts = try merged(merge, searches)
      return try posts.next(merge.limit ?? .max)
    }
    return merge.posts(of: try searches.found())
  }

  /// The posts one by one; only those apart are held.
  private func merged(_ merge: Merge, _ searches: PartSearches) throws -> MergedPosts {
    var whole = merge
    whole.limit = nil
    let found = try searches.found(only: apart)
    return try MergedPosts(
      of: files, apart: apart, merged: whole.posts(of: found), now: merge.now)
  }
}
