import Application
import FoundationEssentials
import Glibc
import Printing
import QueuedHTTP
import SearchAggCLI
import SearchEngine

/// Watches a number of tags for some seconds, on servers that answer at once, and prints how late they are
/// asked: the whole program but for the network.
///
/// Each tag asks one of the servers, which have up to 100 tags each, and every hundredth tag some of the
/// networks that are searched by default, too.
struct TagsBenchmark {
  private static let tagsOfServer = 100
  private static let every = 3600
  /// - Parameters:
  ///   - state: A folder for the state's file, or the address of a database that has its tables.
  ///   - folder: A folder for the tags.
  static func run(tags: Int, for seconds: Int, state: String, below folder: String) async throws {
    try prepare(tags, below: folder)
    let servers = AnsweringServers(tags: tags)
    let context = Context(
      environment: [
        "HOME": folder, "SEARCHAGG_STATE": state, "XDG_CONFIG_HOME": "\(folder)/config",
      ],
      workingDirectory: folder, input: NoInput(), output: Discarded(),
      errors: DescriptorStream(descriptor: STDERR_FILENO), now: { Date.now }, transport: servers)
    let begin = ContinuousClock.now
    let status = await CommandLineRunner(context: context).run([
      "watch", "--every", "\(every)s", "--for", "\(seconds)s", "--quiet", "--jobs", "16",
      "--fail-on", "none",
    ])
    guard status == .success else { throw Failure(description: "the watch ended with \(status)") }
    servers.report(tags, since: begin)
  }

  private struct NoInput: InputStreaming {
    func readAll(limit: Int) throws(InputFailure) -> [UInt8] { [] }
  }

  private struct Discarded: OutputStreaming {
    func write(_ bytes: [UInt8]) throws(OutputFailure) {}
  }

  private struct Failure: Error, CustomStringConvertible { let description: String }

  private static func prepare(_ tags: Int, below folder: String) throws {
    let servers = max(tags / tagsOfServer, 1)
    let defaults = "\"hackernews\",\"mastodon\",\"lobsters\",\"stackexchange\","
    let entries = (0..<tags).map { tag in
      let more = tag % 100 == 0 ? defaults : ""
      // Not all networks can be searched for words.
      let sign = more.isEmpty ? "" : "#"
      return "{\"query\":\"\(sign)tag\(tag)\",\"sources\":[\(more)\"server\(tag % servers)\"]}"
    }
    let sources = (0..<servers).map { server in
      "\"server\(server)\":{\"kind\":\"feed\",\"newest_first\":true,"
        + "\"url\":\"https://server\(server).example/feed?q={words}\"}"
    }
    try FileManager.default.createDirectory(
      atPath: "\(folder)/config/searchagg", withIntermediateDirectories: true)
    try Data("{\"tags\":[\(entries.joined(separator: ","))]}".utf8)
      .write(to: URL(filePath: "\(folder)/tags.json"))
    try Data("{\"sources\":{\(sources.joined(separator: ","))}}".utf8)
      .write(to: URL(filePath: "\(folder)/config/searchagg/config.json"))
  }
}
