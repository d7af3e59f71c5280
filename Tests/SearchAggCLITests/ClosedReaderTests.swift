import Application
import Foundation
import SearchAggCLI
import TestSupport
import Testing

/// Runs whose reader has gone, in virtual time.
@Suite struct ClosedReaderTests {
  private struct ClosedOutput: OutputStreaming {
    func write(_ bytes: [UInt8]) throws(OutputFailure) { throw .closed }
    var isClosed: Bool { true }
  }

  private let folder: Folder
  private let errors = BufferStream()

  init() throws { folder = try Folder() }

  private func run(_ arguments: [String], output: any OutputStreaming) async -> CommandStatus {
    let time = VirtualTime()
    let context = Context(
      environment: ["HOME": folder["home"]], workingDirectory: folder.path,
      input: BufferStream(), output: output, errors: errors,
      now: { PacedNetworks.begin.addingTimeInterval(time.now / .seconds(1)) },
      steadyClock: time.clock, transport: PacedNetworks(time) { 100 + $0 })
    return await withTaskExecutorPreference(time) {
      await CommandLineRunner(context: context).run(arguments)
    }
  }

  private func keepsAll(at state: String? = nil) async throws {
    let before = errors.text
    let place = state.map { ["--state", $0] } ?? []
    let search = ["run", "#tag0", "--source", "hackernews"] + place
    #expect(await run(search, output: ClosedOutput()) == .success)
    let kept = BufferStream()
    let list = ["history", "list", "--format", "ndjson", "--posts-only"] + place
    #expect(await run(list, output: kept) == .success)
    #expect(errors.text == before)
    #expect(kept.text.split(separator: "\n").count == 20)
  }

  @Test func `A plain run keeps what it found though its reader has gone`() async throws {
    try await keepsAll()
  }

  @Test(.enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed"))
  func `A plain run with a shared state keeps what it found, too`() async throws {
    let address = try PostgresServer.shared().database()
    let made = await run(["state", "init", "--state", address], output: BufferStream())
    #expect(made == .success)
    try await keepsAll(at: address)
  }

  @Test func `New posts that nobody has read are new to the next run`() async throws {
    let search = [
      "run", "#tag0", "--source", "hackernews", "--new-all", "--format", "ndjson", "--posts-only",
    ]
    #expect(await run(search, output: ClosedOutput()) == .success)
    let printed = BufferStream()
    #expect(await run(search, output: printed) == .success)
    #expect(printed.text.split(separator: "\n").count == 50)
  }
}
