import Foundation
import PostHistory
import SearchModel
import Synchronization
import TestSupport
import Testing

@testable import Application
@testable import SearchAggCLI

/// The order and the retries of deliveries, on a clock that the tests turn.
@Suite struct DeliveryRetryTests {
  private final class Receiver: Delivery.Receiver {
    let key: String
    let name = "--exec"
    let fails: @Sendable (String) -> Bool
    /// The moment until which it asks for a pause when it fails.
    let pause: Date?
    let taken = Mutex<[String]>([])

    /// True if too much was sent.
    let isRateLimit: Bool
    /// The line that it refuses for good.
    let refused: String?

    init(
      _ key: String = "exec cat", pausing pause: Date? = nil, isRateLimit: Bool = false,
      refusing refused: String? = nil, _ fails: @escaping @Sendable (String) -> Bool
    ) {
      self.key = key
      self.pause = pause
      self.isRateLimit = isRateLimit
      self.refused = refused
      self.fails = fails
    }

    func take(
      _ lines: [Substring], of batch: String, progress: @Sendable (Int) -> Void,
      refuse: @Sendable (Int, _ reason: String) -> Delivery.Failure?
    ) async -> Delivery.Failure? {
      for line in lines {
        if String(line) == refused {
          if let failure = refuse(1, "blocked") { return failure }
          continue
        }
        if fails(String(line)) {
          return Delivery.Failure("refused", until: pause, isRateLimit: isRateLimit)
        }
        taken.withLock { $0.append(String(line)) }
        progress(1)
      }
      return nil
    }

    func stop() {}
  }

  private let folder: Folder
  private let store: SQLiteHistory
  private let errors = BufferStream()

  init() throws {
    folder = try Folder()
    store = try SQLiteHistory(at: folder["history.db"])
  }

  private func put(_ lines: String...) throws {
    var batch = RunBatch(now: Date(timeIntervalSince1970: 1_795_176_000), findings: [])
    batch.outbox = lines.map {
      OutboxBatch(receiver: "exec cat", lines: $0, created: batch.now)
    }
    try store.commit(batch)
  }

  private func deliver(to receiver: Receiver, at seconds: Double = 0) async -> Bool {
    let now = Date(timeIntervalSince1970: 1_795_176_000 + seconds)
    let context = Context(
      environment: [:], workingDirectory: folder.path, input: BufferStream(),
      output: BufferStream(), errors: errors, now: { now })
    return await Delivery(
      to: [receiver], backOff: .seconds(60), in: context.surroundings
    ).deliver(from: store)
  }

  @Test func `Batches are taken in order, and once`() async throws {
    try put("1\n2\n", "3\n")
    let receiver = Receiver { _ in false }
    #expect(await deliver(to: receiver))
    #expect(await deliver(to: receiver))
    #expect(receiver.taken.withLock { $0 } == ["1", "2", "3"])
    #expect(errors.text == "")
  }

  @Test func `A batch is tried five times more, later and later, then kept in a file`() async throws
  {
    try put("1\n2\n3\n", "4\n")
    let receiver = Receiver { $0 == "2" }
    for (seconds, attempt) in [(0.0, 1), (1, 2), (62, 3), (245, 4), (670, 5)] {
      #expect(await !deliver(to: receiver, at: seconds))
      #expect(errors.text.contains("2 posts will be sent again (attempt \(attempt) of 6)"))
      // Too early for the next attempt.
      if attempt > 1 {
        #expect(await !deliver(to: receiver, at: seconds + 30))
        #expect(!errors.text.contains("(attempt \(attempt + 1) of 6)"))
      }
    }
    #expect(receiver.taken.withLock { $0 } == ["1"])
    #expect(await !deliver(to: receiver, at: 1700))
    // The next one follows.
    #expect(receiver.taken.withLock { $0 } == ["1", "4"])
    #expect(errors.text.contains("2 posts were not delivered; they are in "))
    let names = try FileManager.default.contentsOfDirectory(atPath: folder["undelivered"])
    let name = try #require(names.first)
    // Another state in this folder counts its batches from 1, too.
    #expect(names.count == 1, "\(names)")
    #expect(name.firstMatch(of: /-1-[0-9a-f]{8}-exec\.ndjson$/) != nil, "\(name)")
    #expect(try folder.text(of: "undelivered/\(name)") == "2\n3\n")
    #expect(try folder.mode(of: "undelivered/\(name)") == 0o600)
    #expect(try folder.mode(of: "undelivered") == 0o700)
    #expect(await deliver(to: receiver, at: 1701))
  }

  private func undelivered() throws -> [(name: String, lines: [String])] {
    try Undelivered(in: store).all().map { ($0.name, $0.lines.map(String.init)) }
  }

  @Test func `A line that is refused is put aside, and the others are taken`() async throws {
    try put("1\n2\n3\n")
    #expect(await !deliver(to: Receiver(refusing: "2") { _ in false }))
    #expect(errors.text.contains("--exec: blocked; 1 post was not delivered; it is in "))
    let left = try undelivered()
    #expect(left.map(\.lines) == [["2"]] && left[0].name.contains("-2-exec.ndjson"))
  }

  @Test func `A refused line that cannot be put aside says why, and stays`() async throws {
    try put("1\n2\n3\n")
    try folder.write("a file", to: "undelivered")
    #expect(await !deliver(to: Receiver(refusing: "2") { _ in false }))
    #expect(errors.text.contains("--exec: blocked; cannot put the post aside: "), "\(errors.text)")
    #expect(try store.batches(before: .distantFuture, except: []).first?.waiting == ["2", "3"])
  }

  @Test func `Of what is sent by hand, refused lines stay in a file of their own`() async throws {
    try put("1\n2\n3\n")
    let all = Undelivered(in: store)
    let receiver = Receiver(refusing: "1") { $0 == "3" }
    let batch = try #require(try all.all().first)
    let (refused, rest, reason) = await batch.send(to: receiver)
    #expect(refused == ["1"] && rest == ["3"] && reason == "refused")
    try all.keep(batch, refused: refused, rest: rest)
    #expect(receiver.taken.withLock { $0 } == ["2"])
    #expect(try undelivered().map(\.lines) == [["3"], ["1"]])
    // Nothing is left of the batch.
    let last = try #require(try all.all().first)
    let again = await last.send(to: Receiver(refusing: "3") { _ in false })
    #expect(again.reason == "blocked")
    try all.keep(last, refused: again.refused, rest: again.rest)
    #expect(try undelivered().map(\.lines).sorted { $0[0] < $1[0] } == [["1"], ["3"]])
    let file = try #require(try all.all().first { $0.lines == ["1"] })
    let whole = await file.send(to: Receiver { _ in false })
    #expect(whole.refused.isEmpty && whole.rest.isEmpty && whole.reason == nil)
  }

  @Test func `A rate limit counts as no attempt for two days`() async throws {
    try put("1\n")
    let receiver = Receiver(isRateLimit: true) { _ in true }
    for attempt in 0..<10 { #expect(await !deliver(to: receiver, at: Double(attempt) * 3600)) }
    #expect(errors.text.contains("1 post will be sent again\n"))
    #expect(!errors.text.contains("attempt"))
    #expect(await !deliver(to: receiver, at: 172_800))
    #expect(errors.text.contains("(attempt 1 of 6)"), "\(errors.text)")
    #expect(await deliver(to: Receiver { _ in false }, at: 259_200))
  }

  @Test func `A pause that a receiver asks for is kept, for a day at most`() async throws {
    try put("1\n")
    let begin = Date(timeIntervalSince1970: 1_795_176_000)
    let receiver = Receiver(pausing: begin.addingTimeInterval(3600)) { _ in true }
    #expect(await !deliver(to: receiver))
    let patient = Receiver { _ in false }
    #expect(await !deliver(to: patient, at: 3599))
    #expect(errors.text.contains("the next attempt to send 1 post is in 1 s"), "\(errors.text)")
    #expect(await deliver(to: patient, at: 3601))
    #expect(patient.taken.withLock { $0 } == ["1"])
    try put("2\n")
    let greedy = Receiver(pausing: begin.addingTimeInterval(1_000_000)) { _ in true }
    #expect(await !deliver(to: greedy, at: 4000))
    #expect(await !deliver(to: patient, at: 4000 + 86_399))
    #expect(await deliver(to: patient, at: 4000 + 86_401))
  }

  /// A receiver that takes nothing until it is stopped.
  private final class Stuck: Delivery.Receiver {
    let key = "exec sleep 600"
    let name = "--exec"
    private let (end, stopped) = AsyncStream.makeStream(of: Void.self)

    func take(
      _ lines: [Substring], of batch: String, progress: @Sendable (Int) -> Void,
      refuse: @Sendable (Int, _ reason: String) -> Delivery.Failure?
    ) async -> Delivery.Failure? {
      for await _ in end {}
      return Delivery.Failure("interrupted")
    }

    func stop() { stopped.finish() }
  }

  private func delivery(
    to receivers: [any Delivery.Receiver], clock: SteadyClock = .live, at seconds: Double = 0
  ) -> Delivery {
    let now = Date(timeIntervalSince1970: 1_795_176_000 + seconds)
    let context = Context(
      environment: [:], workingDirectory: folder.path, input: BufferStream(),
      output: BufferStream(), errors: errors, now: { now }, steadyClock: clock)
    return Delivery(
      to: receivers, backOff: .seconds(60), in: context.surroundings)
  }

  private func put(_ lines: String, for receiver: String) throws {
    var batch = RunBatch(now: Date(timeIntervalSince1970: 1_795_176_000), findings: [])
    batch.outbox = [OutboxBatch(receiver: receiver, lines: lines, created: batch.now)]
    try store.commit(batch)
  }

  @Test func `A receiver that hangs holds up no other one, and no longer than time allows`()
    async throws
  {
    try put("1\n", "2\n")
    try put("3\n", for: "exec sleep 600")
    let receiver = Receiver { _ in false }
    let time = VirtualTime()
    let isComplete = await withTaskExecutorPreference(time) {
      await delivery(to: [Stuck(), receiver], clock: time.clock)
        .deliver(from: store, within: .seconds(3))
    }
    #expect(!isComplete)
    #expect(time.now == .seconds(3))
    #expect(receiver.taken.withLock { $0 } == ["1", "2"])
    #expect(errors.text == "searchagg: --exec: time is up; the next run will send 1 post\n")
    // It does not count as an attempt.
    let left = try #require(try store.oldestBatch(for: "exec sleep 600"))
    #expect(left.failures == 0 && left.retry == nil)
  }

  @Test func `An interruption does not count as a failed attempt`() async throws {
    try put("3\n", for: "exec sleep 600")
    for _ in 1...8 {
      let delivery = delivery(to: [Stuck()])
      async let isComplete = delivery.deliver(from: store)
      delivery.stop()
      #expect(await !isComplete)
    }
    #expect(errors.text.contains("--exec: interrupted; the next run will send 1 post\n"))
    let left = try #require(try store.oldestBatch(for: "exec sleep 600"))
    #expect(left.failures == 0 && left.retry == nil)
  }

  @Test func `The wait for another run that delivers ends with the time`() async throws {
    try put("1\n")
    guard let lock = try store.deliveryLock(for: "exec cat") else {
      throw CancellationError()
    }
    let receiver = Receiver { _ in false }
    let time = VirtualTime()
    let isComplete = await withTaskExecutorPreference(time) {
      await delivery(to: [receiver], clock: time.clock).deliver(from: store, within: .seconds(3))
    }
    extendLifetime(lock)
    #expect(!isComplete)
    #expect((.seconds(3)...(.seconds(4))).contains(time.now))
    #expect(receiver.taken.withLock { $0 } == [])
    #expect(errors.text.contains("another run is still passing posts on"))
  }

  @Test func `A run says that a batch waits for its next attempt, and a watch says it once`()
    async throws
  {
    try put("1\n2\n")
    #expect(await !deliver(to: Receiver { _ in true }))
    #expect(await !deliver(to: Receiver { _ in true }))
    let delivery = delivery(to: [Receiver { _ in true }], at: 20)
    #expect(await !delivery.deliver(from: store))
    #expect(await !delivery.deliver(from: store))
    let lines = errors.text.split(separator: "\n").dropFirst(2)
    #expect(
      Array(lines) == [
        "searchagg: --exec: the next attempt to send 2 posts is in 40 s"
      ])
  }

  @Test func `Posts that no run has asked for in an hour are named in one line`() async throws {
    try put("1\n2\n", for: "exec tpyo")
    try put("3\n", for: "team notify")
    #expect(await deliver(to: Receiver { _ in false }, at: 3000))
    #expect(errors.text == "")
    #expect(await deliver(to: Receiver { _ in false }, at: 4000))
    #expect(
      errors.text == """
        searchagg: 3 posts wait for another --exec command and channel 'team' that no run has used for \
        an hour (see: searchagg undelivered list)

        """)
    // Its own runs are not so long ago.
    #expect(await !deliver(to: Receiver("exec tpyo") { _ in true }, at: 4000))
    #expect(await !deliver(to: Receiver("exec tpyo") { _ in true }, at: 4001))
    let before = errors.text.count
    #expect(await deliver(to: Receiver("team notify") { _ in false }, at: 6000))
    #expect(errors.text.count == before)
  }

  @Test func `A clock that is set back does not hold up a batch for long`() async throws {
    try put("1\n")
    let failing = Receiver { _ in true }
    #expect(await !deliver(to: failing, at: 1e8))
    #expect(await !deliver(to: failing, at: 1e8))
    let receiver = Receiver { _ in false }
    #expect(await deliver(to: receiver))
    #expect(receiver.taken.withLock { $0 } == ["1"])
  }

  @Test func `A batch that nobody asks for any more is given up after a week`() async throws {
    try put("1\n")
    var other = RunBatch(now: Date(timeIntervalSince1970: 1_795_176_000), findings: [])
    other.outbox = [OutboxBatch(receiver: "exec old", lines: "9\n", created: other.now)]
    try store.commit(other)
    let receiver = Receiver { _ in false }
    #expect(await deliver(to: receiver, at: 600_000))
    #expect(await !deliver(to: receiver, at: 610_000))
    #expect(errors.text.contains("exec: no run has used this receiver for a week"))
    #expect(await deliver(to: receiver, at: 610_001))
  }

  @Test func `A command that takes too long is killed with everything that it started`()
    async throws
  {
    let command = ShellCommand(
      "sleep 600 & echo $! > \(folder["child"]); wait", environment: ["PATH": "/usr/bin:/bin"],
      limit: .milliseconds(500))
    let reason = await command.run(reading: Array(repeating: 0x61, count: 1 << 20))
    #expect(reason?.contains("was killed") == true, "\(reason ?? "")")
    let child = try #require(Int32(try folder.text(of: "child").filter(\.isNumber)))
    // An orphan stays until init has reaped it, and a busy system takes a moment to end it.
    func isEnded() -> Bool {
      let state = try? String(contentsOfFile: "/proc/\(child)/stat", encoding: .utf8)
      return state.map { $0.contains(") Z ") } ?? true
    }
    for _ in 0..<3000 where !isEnded() { try await Task.sleep(for: .milliseconds(10)) }
    #expect(isEnded())
  }

  @Test func `A stopped command is not started again`() async {
    let command = ShellCommand("exit 0", environment: [:])
    #expect(await command.run(reading: []) == nil)
    command.stop()
    #expect(await command.run(reading: []) == "interrupted")
  }
}
