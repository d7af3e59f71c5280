import FoundationEssentials
import Measuring
import QueuedHTTP

/// Sends many requests with random faults, and prints how memory, descriptors and threads go:
/// `soak ADDRESS [REQUESTS [AT-ONCE]]`.
///
/// Ends with 1 when they are not flat: when the second half of the run needed more than the first, or
/// something is left when all is over.
@main
struct Soak {
  private static let paths = [
    "/reset", "/empty", "/cut", "/garbage", "/chunk", "/redirect", "/busy", "/late", "/large",
    "/stall",
  ]
  private static let steps = 20

  static func main() async throws {
    OwnProcess.raiseDescriptorLimit()
    let order = try Order(requests: 200_000, atOnce: 64)
    let folder = FileManager.default.temporaryDirectory.appending(path: "soak-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    // The threads that the runtime keeps are there before the first look.
    let quiet = try await held { _ in }
    var curve: [Held] = []
    let after = try await held { client in
      print("  requests       done     failed  cancelled  MiB resident  descriptors  threads")
      for step in 1...steps {
        let part = Order(order, requests: order.requests / steps)
        _ = try await perSecond(part) { await send(order.address, folder.path, with: client) }
        // A stream that is let go of before its end is cancelled a moment later.
        while client.counts.underWay > 0 { try await Task.sleep(for: .milliseconds(1)) }
        curve.append(try Held())
        let counts = client.counts
        precondition(counts.done + counts.failed + counts.cancelled == step * part.requests)
        print(
          "\(Double(step * part.requests).right(10))\(Double(counts.done).right(11))"
            + "\(Double(counts.failed).right(11))\(Double(counts.cancelled).right(11))"
            + curve[step - 1].columns)
      }
    }
    print("  after the shutdown                         " + after.columns)
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    try check(curve, quiet, after, files: files.count)
  }

  /// The resources of the process after the life of a client.
  private static func held(_ life: (HTTPClient) async throws -> Void) async throws -> Held {
    var configuration = HTTPClient.Configuration()
    configuration.concurrency = 64
    configuration.perLane = 64
    let client = HTTPClient(configuration: configuration)
    try await life(client)
    await client.shutdown()
    return try Held()
  }

  /// Sends one request, in one of the ways that there are, and takes its end.
  private static func send(_ address: String, _ folder: String, with client: HTTPClient) async {
    var request = HTTPRequest(url: address)
    if Int.random(in: 0..<100) < 40, let path = paths.randomElement() { request.url += path }
    request.timeouts = Timeouts(idle: .milliseconds(100), total: .seconds(10))
    request.retries = RetryPolicy(firstWait: .milliseconds(1))
    switch Int.random(in: 0..<10) {
    case 0:
      let file = "\(folder)/\(UInt64.random(in: 0 ... .max))"
      request.destination = .file(path: file, resumes: false)
      // Whatever its end was is in the client's counts.
      _ = try? await client.send(request)
      try? FileManager.default.removeItem(atPath: file)
    case 1:
      guard let response = try? await client.stream(request) else { return }
      do { for try await _ in response.body { if Int.random(in: 0..<4) == 0 { break } } } catch {}
    case 2:
      let task = Task { try await client.send(request) }
      for _ in 0..<Int.random(in: 0..<50) { await Task.yield() }
      task.cancel()
      _ = try? await task.value
    case _:
      _ = try? await client.send(request)
    }
  }

  private static func check(
    _ curve: [Held], _ quiet: Held, _ after: Held, files: Int
  ) throws {
    let half = curve.count / 2
    let (first, second) = (curve[..<half], curve[half...])
    func most(_ held: ArraySlice<Held>, _ what: (Held) -> Double) -> Double {
      held.map(what).max() ?? 0
    }
    var faults: [String] = []
    if most(second, \.memory) > most(first, \.memory) * 1.05 + 1 { faults.append("memory grows") }
    if most(second, \.descriptors) > most(first, \.descriptors) + 8 {
      faults.append("descriptors grow")
    }
    if most(second, \.threads) > most(first, \.threads) + 2 { faults.append("threads grow") }
    if after.descriptors > quiet.descriptors { faults.append("a descriptor is left") }
    if files > 0 { faults.append("\(files) files are left") }
    print(faults.isEmpty ? "flat" : faults.joined(separator: ", "))
    if !faults.isEmpty { throw NotFlat() }
  }
}

/// The resources of the process at a moment.
struct Held {
  let memory: Double
  let descriptors: Double
  let threads: Double

  init() throws {
    memory = try OwnProcess.memory()
    descriptors = Double(try OwnProcess.descriptors())
    threads = Double(try OwnProcess.threads())
  }

  var columns: String {
    memory.right(14, decimals: 1) + descriptors.right(13) + threads.right(9)
  }
}

/// Something grew, or is left.
struct NotFlat: Error, CustomStringConvertible {
  var description: String { "soak: memory, descriptors, threads and files are to be flat" }
}
