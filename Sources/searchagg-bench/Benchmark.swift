import ArgumentParser
import FoundationEssentials

/// The executable: measures parts of searchagg on this machine.
@main
struct Benchmark: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "searchagg-bench",
    abstract: "Measure parts of searchagg on this machine.",
    discussion: "Only figures of one machine can be compared; `make bench` prints most of them.",
    subcommands: [
      Stages.self, Formats.self, Start.self, History.self, Spool.self, Fold.self, Answers.self,
      Reading.self, Tags.self, Workers.self, Leases.self,
    ],
    defaultSubcommand: Stages.self)
}

private struct Stages: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Time decoding, merging, printing and the client's queue.")

  func run() throws { try StageBenchmark.run() }
}

private struct Formats: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Time the formats beside cat, through a pipe.")

  @Argument(help: "The formats to measure; all if none is named.")
  var names: [String] = []

  func run() throws {
    let now = Date(timeIntervalSince1970: 1_763_800_000)
    try FormatBenchmark.run(
      StageBenchmark.posts(of: 1000, now: now), now: now, as: names,
      below: FileManager.default.temporaryDirectory.path)
  }
}

private struct Start: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Time the start of searchagg beside that of curl.")

  func run() throws { try StartBenchmark.run() }
}

private struct History: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Time writing, indexing and searching a history beside bare SQLite.")

  @Argument(help: "The number of posts.")
  var posts = 1_000_000

  func run() throws {
    try HistoryBenchmark.run(posts: posts, below: FileManager.default.temporaryDirectory.path)
  }
}

private struct Spool: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write a history as plain runs do, which leaves its posts to be indexed.")

  @Argument(help: "The number of posts.")
  var posts: Int

  @Argument(help: "The file of the history.")
  var path: String

  func run() throws { try HistoryBenchmark.spool(posts: posts, at: path) }
}

private struct Fold: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Time indexing what waits in a history.")

  @Argument(help: "The file of the history.")
  var path: String

  func run() throws { try HistoryBenchmark.fold(at: path) }
}

private struct Answers: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write answers of X for a server, as 0.json, 1.json and so on.")

  @Argument(help: "The folder for the files.")
  var folder: String

  @Argument(help: "The number of answers.")
  var count: Int

  @Argument(help: "The number of posts in each.")
  var posts = StageBenchmark.postCount

  func run() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    var samples = SampleAnswers(seed: 7)
    for number in 0..<count {
      try Data(samples.answer(posts: posts, number: number))
        .write(to: URL(filePath: "\(folder)/\(number).json"))
    }
  }
}

private struct Reading: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Read pages of Hacker News, for counting instructions.")

  @Argument(help: "The number of pages.")
  var pages: Int

  func run() throws { try StageBenchmark.readHits(pages: pages) }
}

private struct Tags: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Watch tags on servers that answer at once, and print how late they are asked.")

  @Argument(help: "The number of tags.")
  var tags: Int

  @Argument(help: "How long to watch, in seconds.")
  var seconds: Int

  @Argument(help: "The file of the state, or the address of a database.")
  var state: String

  @Argument(help: "A folder for the tags.")
  var folder: String

  func run() async throws {
    try await TagsBenchmark.run(tags: tags, for: seconds, state: state, below: folder)
  }
}

private struct Workers: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Count the rounds of a worker on a state that machines share.")

  @Argument(help: "The address of the database.")
  var address: String

  @Argument(help: "How long to work, in seconds.")
  var seconds: Int

  func run() throws { try WorkerBenchmark.run(at: address, for: seconds) }
}

private struct Leases: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Time taking a lane of a state that machines share, in microseconds.")

  @Argument(help: "The address of the database.")
  var address: String

  func run() throws { try WorkerBenchmark.lease(at: address) }
}
