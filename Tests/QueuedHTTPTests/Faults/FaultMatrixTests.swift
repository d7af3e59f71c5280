import Glibc
import TestSupport
import Testing

@testable import QueuedHTTP

@Suite struct FaultMatrixTests {
  @Test(.timeLimit(.minutes(10)), arguments: FaultCase.all)
  func `Each fault is an error of its kind wherever the body goes, and leaves nothing behind`(
    _ fault: FaultCase
  ) async throws {
    let folder = try Folder()
    defer { folder.remove() }
    let server = try FaultServer(fault.fault, fault.version)
    defer { server.close() }
    var configuration = HTTPClient.Configuration()
    configuration.concurrency = 1
    configuration.httpVersion = fault.version
    configuration.proxy = ""
    let client = HTTPClient(configuration: configuration)
    let (error, received) = await fault.meet(
      client, at: server.faultURL, file: folder["body"])
    #expect(
      error?.code == fault.fault.code, "\(error.map(String.init(describing:)) ?? "none")")
    #expect(error?.description.hasPrefix("http://127.0.0.1:") == true)
    #expect(received <= ServerFault.bounds.bodyBytes)
    #expect(error?.timings.bytesDecoded ?? 0 <= ServerFault.bounds.bodyBytes)
    #expect(try folder.names == [])
    // The only slot is free, and the client is as good as new.
    let fine = try await client.send(patient(.post, url: server.url, body: [1]))
    #expect(fine.body.text == "fine")
    #expect(client.counts.underWay == 0)
    #expect(client.counts.failed == 1)
    await client.shutdown()
  }

  /// A sanitizer keeps what was freed for a while, and that is memory too.
  private static let isSanitized = (["__asan_init", "__tsan_init"] as [String]).contains { name in
    dlsym(nil, name) != nil
  }

  // What the whole process holds, so it has a process of its own.
  @Test(.disabled(if: isSanitized), .timeLimit(.minutes(10)))
  func `No fault takes more memory than the bounds allow`() async {
    await #expect(processExitsWith: .success) {
      let folder = try Folder()
      var before: Int?
      for _ in 0..<3 {
        for fault in FaultCase.all where fault.fault.timeouts == .none {
          let server = try FaultServer(fault.fault, fault.version)
          var configuration = HTTPClient.Configuration()
          configuration.httpVersion = fault.version
          configuration.proxy = ""
          let client = HTTPClient(configuration: configuration)
          let (error, _) = await fault.meet(
            client, at: server.faultURL, file: folder["body"])
          precondition(error != nil, "\(fault.testDescription) is no fault")
          await client.shutdown()
          server.close()
        }
        // The first round brings what the libraries keep for good.
        let most = try OpenResources.mostMemory()
        if let before {
          precondition(most - before < 24 << 20, "\(most - before) bytes more than before")
        } else {
          before = most
        }
        precondition(most < 256 << 20, "\(most) bytes")
      }
      folder.remove()
      exit(0)
    }
  }
}
