import QueuedHTTP
import TestSupport
import Testing

@Suite struct CancelledDownloadTests {
  @Test func `A canceled download has left no file`() async throws {
    let folder = try Folder()
    defer { folder.remove() }
    let server = try LoopbackServer { _ in .ok(String(repeating: "x", count: 1_000)) }
    defer { server.close() }
    let client = HTTPClient()
    var cancelled = 0
    var kept = 0
    for index in 0..<300 {
      let ends = Ends()
      let path = folder["file\(index)"]
      let operation = client.enqueue(
        patient(url: server.url(), destination: .file(path: path)), on: ends.queue,
        completion: ends.take)
      await server.arrived(index + 1)
      // From the arrival of the answer to the file's name it is some hundred turns.
      for _ in 0..<(index * 7 % 300) { await Task.yield() }
      operation.cancel()
      await ends.reached(1)
      if ends.codes == [.cancelled] { cancelled += 1 } else { kept += 1 }
      if ends.codes == [] { #expect(try folder.names.contains("file\(index)")) }
    }
    await client.cancelAll()
    #expect(cancelled + kept == 300)
    #expect(try folder.names.filter { !$0.hasPrefix(".") }.count == kept)
    await client.shutdown()
    // A temporary file goes with the last reference to it, which another thread may still hold.
    for _ in 0..<1000 where try folder.names.count != kept {
      try await Task.sleep(for: .milliseconds(10))
    }
    #expect(try folder.names.count == kept)
  }

  @Test(arguments: [true, false])
  func `No file gets its name after everything was canceled`(isShutdown: Bool) async throws {
    let folder = try Folder()
    defer { folder.remove() }
    let server = try LoopbackServer { _ in .ok(String(repeating: "x", count: 1_000)) }
    defer { server.close() }
    for round in 0..<20 {
      var configuration = HTTPClient.Configuration()
      configuration.perLane = 16
      let client = HTTPClient(configuration: configuration)
      let ends = Ends()
      for index in 0..<16 {
        client.enqueue(
          patient(
            url: server.url(), destination: .file(path: folder["file\(round)-\(index)"])),
          on: ends.queue, completion: ends.take)
      }
      await server.arrived(round * 16 + 8)
      for _ in 0..<(round * 10) { await Task.yield() }
      if isShutdown { await client.shutdown() } else { await client.cancelAll() }
      let names = try folder.names.filter { $0.hasPrefix("file\(round)-") }
      await ends.reached(16)
      #expect(try folder.names.filter { $0.hasPrefix("file\(round)-") } == names)
      #expect(ends.statuses.count == names.count)
      await client.shutdown()
      #expect(try folder.names.filter { $0.hasPrefix("file\(round)-") } == names)
      guard server.targets.count == (round + 1) * 16 else { break }
    }
  }
}
