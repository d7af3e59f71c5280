import ArgumentParser
import Dispatch
import FoundationEssentials
import Glibc
import NetworkSimulator

/// The executable: serves until it is stopped.
@main
struct SimulatorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "searchagg-sim",
    abstract: "Serve every network's search API on loopback.",
    discussion: """
      Prints the address of every source and the credentials that it accepts as NAME=value lines, \
      then "ready", and serves until SIGTERM or SIGINT. The networks of the catalog are searched when \
      they are named, so their addresses are in the file of --config. The same seed and date give the same posts. \
      Every query finds posts, except those that begin with "nothing"; those that begin with \
      "plenty" find 1,500, or as many as that word says: "plenty10000".

        source <(searchagg-sim --env)
        searchagg run '#swiftlang'

        searchagg-sim --port 8080 --seed 7 > sim.env &
        curl 'http://127.0.0.1:8080/hackernews/api/v1/search_by_date?query=swift'

        searchagg-sim --config sim.json > sim.env &
        searchagg run --config sim.json --source arxiv 'diffusion'

      Faults are path segments before the source's, such as /~latency=250/~status=503/x:

      \(Simulator.faults)

      Exit status: 0 when stopped by a signal, 64 for wrong usage, 69 if the port is taken, 73 if the \
      file of --config cannot be written.
      """)

  @Option(help: "The port to listen on; 0 picks a free one.")
  var port: UInt16 = 0

  @Option(help: "The seed for posts and credentials.")
  var seed: UInt64 = 1

  @Option(
    help: ArgumentHelp(
      "The end of the six days that the posts are from, in RFC 3339 (default: the start).",
      discussion: "", valueName: "date"),
    transform: { text in
      guard let date = Simulator.date(text) else {
        throw ValidationError("not a date in RFC 3339, such as 2026-11-20T12:00:00Z: \(text)")
      }
      return date
    })
  var now: Date?

  @Flag(
    help: """
      Print 'export' lines for a shell and nothing else, then close the output: \
      source <(searchagg-sim --env)
      """)
  var env = false

  @Option(
    help: ArgumentHelp(
      "Write a configuration file for searchagg with the addresses of all networks, those of the "
        + "catalog too.", valueName: "file"))
  var config: String?

  @Flag(help: "Enforce the quotas that the rate-limit headers state.")
  var quotas = false

  func run() async throws {
    let signals = StopSignals()
    let simulator: Simulator
    do {
      simulator = try await Simulator.start(
        seed: seed, now: now ?? Date.now, port: port, enforcesQuotas: quotas
      ) { Date.now }
    } catch {
      DiagnosticLine.write("searchagg-sim: \(error)")
      throw ExitCode(69)
    }
    if let config {
      do {
        try Data(simulator.configuration.utf8).write(to: URL(filePath: config), options: .atomic)
      } catch {
        DiagnosticLine.write("searchagg-sim: \(config): cannot be written")
        throw ExitCode(73)
      }
    }
    for line in env ? simulator.shellLines : simulator.environmentLines { print(line) }
    if !env { print("ready") }
    // A pipe is not flushed after each line.
    fflush(nil)
    // A shell that reads the lines waits for their end.
    if env { Self.endOutput() }
    await signals.first()
    await simulator.stop()
  }
}

extension SimulatorCommand {
  /// Ends standard output without freeing its descriptor, which a connection would get next.
  private static func endOutput() {
    let nowhere = open("/dev/null", O_WRONLY)
    guard nowhere >= 0 else { return }
    dup2(nowhere, STDOUT_FILENO)
    close(nowhere)
  }
}

/// Messages on standard error.
enum DiagnosticLine {
  static func write(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    // `stderr` is a variable, which Swift treats as unprotected shared state; the descriptor is not.
    // There is nowhere else to report a failure to write.
    _ = bytes.withUnsafeBytes { send(line: $0) }
  }

  private static func send(line: UnsafeRawBufferPointer) -> Int {
    Glibc.write(STDERR_FILENO, line.baseAddress, line.count)
  }
}

/// Waits for SIGTERM or SIGINT.
struct StopSignals {
  private let sources: [any DispatchSourceSignal]
  private let arrivals: AsyncStream<Void>

  init() {
    let (arrivals, continuation) = AsyncStream.makeStream(of: Void.self)
    self.arrivals = arrivals
    sources = [SIGTERM, SIGINT].map { number in
      // The default action would come first.
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { continuation.yield() }
      source.resume()
      return source
    }
  }

  /// Returns when one has arrived.
  func first() async {
    for await _ in arrivals { break }
    for source in sources { source.cancel() }
  }
}
