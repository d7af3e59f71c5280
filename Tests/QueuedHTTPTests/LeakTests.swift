import Glibc
import QueuedHTTP
import Testing

/// What the whole process has open, so each test has a process of its own.
@Suite struct LeakTests {
  @Test func `A shutdown leaves no threads and descriptors`() async {
    await #expect(processExitsWith: .success) {
      let server = try LoopbackServer { request in
        switch request.target {
        case "/stall": .stall
        case "/reset": .reset
        default: .ok("x")
        }
      }
      var before: Int?
      for round in 0..<4 {
        let seen = server.targets.count
        let client = HTTPClient()
        let ends = Ends()
        for index in 0..<30 {
          client.enqueue(
            patient(url: server.url(["/", "/stall", "/reset"][index % 3])), on: ends.queue,
            completion: ends.take)
        }
        client.enqueue(
          patient(url: "http://name-\(round).invalid/"), on: ends.queue, completion: ends.take)
        await server.arrived(seen + 4)
        while OpenResources.threads() == 0 { sched_yield() }
        await client.shutdown()
        await ends.reached(31)
        // Connections are accepted in order: behind this one none of the others is still to come.
        let last = HTTPClient()
        _ = try await last.send(patient(url: server.url()))
        await last.shutdown()
        await server.isDeserted()
        // A name that is being looked up cannot be canceled; its thread ends when the system
        // answers.
        while OpenResources.threads() > 0 { sched_yield() }
        // What the system's libraries open with their first use, they keep.
        if let before {
          precondition(OpenResources.descriptors() == before, "a descriptor is left")
        } else {
          before = OpenResources.descriptors()
        }
      }
      exit(0)
    }
  }

  @Test func `An unreferenced client ends its thread`() async {
    await #expect(processExitsWith: .success) {
      let server = try LoopbackServer { _ in .stall }
      let ends = Ends()
      var client: HTTPClient? = HTTPClient()
      let operation = client?.enqueue(
        patient(url: server.url()), on: ends.queue, completion: ends.take)
      await server.arrived(1)
      precondition(OpenResources.threads() == 1)
      client = nil
      operation?.cancel()
      await ends.reached(1)
      while OpenResources.threads() > 0 { sched_yield() }
      exit(0)
    }
  }
}
