import ArgumentParser
import Dispatch
import FoundationEssentials
import NetworkSimulator

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The executable: serves until it is told to stop.
@main
struct SimulatorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "searchagg-sim",
    abstract: "Serve every network's search API on loopback.",
    discussion: """
      Prints the address of every source and the credentials that it accepts as NAME=value lines, \
      then "ready", and serves until SIGTERM or SIGINT. The same seed gives the same posts. Every \
      query finds posts, but those that begin with "nothing"; those that begin with "plenty" find \
      1,500.

        searchagg-sim --port 8080 --seed 7 > sim.env &
        curl 'http://127.0.0.1:8080/hackernews/api/v1/search_by_date?query=swift'

      Faults are path segments before the source's own, such as /~latency=250/~status=503/x:

      \(Simulator.faults)

      Exit status: 0 when told to stop, 64 for wrong usage, 69 when the port is taken.
      """)

  @Option(help: "The port to serve; 0 is any free one.")
  var port: UInt16 = 0

  @Option(help: "What posts and credentials are made from.")
  var seed: UInt64 = 1

  @Option(
    help: ArgumentHelp(
      "The moment before which the posts lie, in RFC 3339.", discussion: "", valueName: "date"),
    transform: { text in
      guard let date = Simulator.date(text) else {
        throw ValidationError("not a date in RFC 3339, such as 2026-11-20T12:00:00Z: \(text)")
      }
      return date
    })
  var now: Date = Simulator.fixedNow

  @Flag(help: "Refuse what the rate-limit headers say is too much.")
  var quotas = false

  func run() async throws {
    let signals = StopSignals()
    let simulator: Simulator
    do {
      simulator = try await Simulator.start(
        seed: seed, now: now, port: port, enforcesQuotas: quotas
      ) { Date.now }
    } catch {
      DiagnosticLine.write("searchagg-sim: \(error)")
      throw ExitCode(69)
    }
    for line in simulator.environmentLines { print(line) }
    print("ready")
    // Who waits for the word reads a pipe, which is not flushed by the line.
    fflush(nil)
    await signals.first()
    await simulator.stop()
  }
}
