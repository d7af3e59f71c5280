import FoundationEssentials
import QueuedHTTP
import Synchronization
import Testing

@Suite struct RetryTests {
  /// Answers the n-th request with the n-th answer, and all further ones with the last.
  private func server(_ answers: [Answer]) throws -> LoopbackServer {
    let next = Atomic<Int>(0)
    let box = Shared(next)
    return try LoopbackServer { _ in
      let index = box.value.add(1, ordering: .relaxed).oldValue
      return answers[min(index, answers.count - 1)]
    }
  }

  @Test(arguments: [408, 429, 500, 502, 503, 504, 520, 524, 529])
  func `A status that passes is tried again`(status: Int) async throws {
    let server = try server([.status(status), .status(status), .ok("at last")])
    defer { server.close() }
    let client = HTTPClient()
    let response = try await client.send(patient(url: server.url(), retries: .soon))
    #expect(response.body.text == "at last")
    #expect(response.timings.attempts == 3)
    #expect(client.counts.done == 1)
    await client.shutdown()
  }

  @Test func `When the attempts are spent the last response is the end`() async throws {
    let server = try server([.status(503)])
    defer { server.close() }
    let client = HTTPClient()
    let response = try await client.send(patient(url: server.url(), retries: .soon))
    #expect(response.status == 503)
    #expect(server.targets.count == 3)
    await client.shutdown()
  }

  @Test func `A fault of the connection is tried again, for methods that may be`() async throws {
    let server = try server([.reset, .ok("x")])
    defer { server.close() }
    let client = HTTPClient()
    let response = try await client.send(patient(url: server.url(), retries: .soon))
    #expect(response.timings.attempts == 2)
    let other = try self.server([.reset, .ok()])
    defer { other.close() }
    let error = await #expect(throws: HTTPError.self) {
      try await client.send(patient(.post, url: other.url(), retries: .soon))
    }
    #expect(error?.code == .connection)
    #expect(error?.timings.attempts == 1)
    #expect(other.targets.count == 1)
    await client.shutdown()
  }

  @Test(arguments: [(true, 4), (false, 2)])
  func `The first request after a cool-down is repeated by choice`(
    retriesProbes: Bool, attempts: Int
  ) async throws {
    let server = try server([.status(429)])
    defer { server.close() }
    let client = HTTPClient()
    var retries = RetryPolicy.soon
    retries.limit = 3
    retries.retriesProbes = retriesProbes
    var request = patient(url: server.url(), retries: retries)
    request.judge = { _, now in .coolDown(until: now.addingTimeInterval(0.01)) }
    let response = try await client.send(request)
    #expect(response.status == 429)
    #expect(response.timings.attempts == attempts)
    await client.shutdown()
  }

  @Test func `A stream that probes its lane lets others start once its response has begun`()
    async throws
  {
    let (held, flow) = (Gate(), Gate(passes: 1))
    let server = try LoopbackServer { request in
      switch request.target {
      case "/held": .after(held, .ok())
      case "/stream": .pieces([Answer.head(200, ["Content-Length: 1"]), [120]], flow)
      default: .ok()
      }
    }
    defer { server.close() }
    var configuration = HTTPClient.Configuration()
    configuration.perLane = 2
    let client = HTTPClient(configuration: configuration)
    // As long as it runs, its lane is on probation.
    async let first = client.send(patient(url: server.url("/held")))
    await server.arrived(1)
    _ = try await client.send(
      patient(
        url: server.url("/limited"),
        judge: { _, now in .doneThenCoolDown(until: now.addingTimeInterval(0.05)) }))
    let stream = try await client.stream(patient(url: server.url("/stream")))
    held.open()
    _ = try await first
    let waiting = Timeouts(connect: nil, idle: nil, total: nil, queue: .seconds(30))
    let other = try await client.send(patient(url: server.url("/other"), timeouts: waiting))
    #expect(other.status == 200)
    flow.open()
    for try await piece in stream.body { #expect(piece.text == "x") }
    await client.shutdown()
  }

  @Test func `Attempts that reached no server do not count for the pace`() async throws {
    let client = HTTPClient()
    client.setPace(Pace(requests: 1, per: .seconds(3600)), for: Lane(rawValue: "paced"))
    // Port 1 is reserved, and nothing listens there.
    var request = patient(url: "http://127.0.0.1:1/", retries: .soon)
    request.lane = Lane(rawValue: "paced")
    for _ in 0..<2 {
      let error = await #expect(throws: HTTPError.self) { try await client.send(request) }
      #expect(error?.timings.attempts == 3)
      #expect(error?.isUnreachable == true)
    }
    await client.shutdown()
  }

  @Test func `A connection that was reset has reached its server`() async throws {
    let server = try server([.reset])
    defer { server.close() }
    let client = HTTPClient()
    let error = await #expect(throws: HTTPError.self) {
      try await client.send(patient(url: server.url(), retries: .never))
    }
    #expect(error?.code == .connection)
    #expect(error?.hasConnected == true)
    #expect(error?.isUnreachable == false)
    await client.shutdown()
  }

  @Test(arguments: ["0", "-5", "Thu, 01 Jan 2015 00:00:00 GMT"])
  func `A past or negative wait is zero`(value: String) async throws {
    let server = try server([.status(429, headers: ["Retry-After: \(value)"]), .ok()])
    defer { server.close() }
    let client = HTTPClient()
    let response = try await client.send(patient(url: server.url(), retries: .soon))
    #expect(response.status == 200)
    await client.shutdown()
  }

  @Test func `Requests that a counting server refuses in a row do not lose their retries`()
    async throws
  {
    // One request in a tenth of a second is answered.
    let next = Mutex(ContinuousClock.now)
    let server = try LoopbackServer { _ in
      next.withLock { next in
        guard ContinuousClock.now >= next else {
          return .status(429, headers: ["Retry-After: 0.1"])
        }
        next = .now + .milliseconds(100)
        return .ok()
      }
    }
    defer { server.close() }
    var configuration = HTTPClient.Configuration()
    configuration.perLane = 4
    let client = HTTPClient(configuration: configuration)
    let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<12 {
        group.addTask {
          try await client.send(patient(url: server.url(), retries: RetryPolicy(limit: 2))).status
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(statuses == Array(repeating: 200, count: 12))
    await client.shutdown()
  }

  @Test(arguments: ["3600", "99999999999999999999", "Fri, 01 Jan 2100 00:00:00 GMT"])
  func `A wait beyond the time left ends the request with the response`(value: String)
    async throws
  {
    let server = try server([.status(429, headers: ["Retry-After: \(value)"])])
    defer { server.close() }
    let client = HTTPClient()
    let response = try await client.send(
      patient(url: server.url(), retries: RetryPolicy(budget: .seconds(60))))
    #expect(response.status == 429)
    #expect(response.timings.attempts == 1)
    await client.shutdown()
  }

  @Test func `A 429 with an hour's wait ends all that wait in its lane, naming the moment`()
    async throws
  {
    let gate = Gate()
    let server = try LoopbackServer { _ in
      .after(gate, .status(429, headers: ["Retry-After: 3600"]))
    }
    defer { server.close() }
    var configuration = HTTPClient.Configuration()
    configuration.now = { Date(timeIntervalSince1970: 1_000_000) }
    configuration.perLane = 2
    let client = HTTPClient(configuration: configuration)
    let ends = Ends()
    for _ in 0..<10_000 {
      client.enqueue(
        patient(url: server.url(), retries: RetryPolicy(budget: .seconds(60))), on: ends.queue,
        completion: ends.take)
    }
    await server.arrived(2)
    gate.open()
    await ends.reached(10_000)
    #expect(server.targets.count == 2)
    #expect(ends.statuses == [429, 429])
    #expect(ends.codes.count == 9_998)
    #expect(ends.codes.allSatisfy { $0 == .coolingDown })
    let moment = try #require(ends.errors.first?.retryMoment)
    #expect(abs(moment.timeIntervalSince1970 - 1_003_600) < 1)
    // One that comes later into this lane ends at once too; another lane is free.
    let late = await #expect(throws: HTTPError.self) {
      try await client.send(patient(url: server.url(), retries: RetryPolicy(budget: .seconds(60))))
    }
    #expect(late?.code == .coolingDown)
    let free = try await client.send(
      patient(url: server.url(), lane: Lane(rawValue: "other"), retries: .never))
    #expect(free.status == 429)
    await client.shutdown()
  }

  @Test func `A pause that was too short is extended, and its probe is sent again`() async throws {
    let server = try server([.ok("pause"), .ok("early"), .ok("done")])
    defer { server.close() }
    let client = HTTPClient()
    var retries = RetryPolicy(limit: 2, budget: .days)
    retries.retriesProbes = false
    let request = patient(url: server.url(), retries: retries) { response, now in
      switch response.body.text {
      case "pause": .coolDown(until: now.addingTimeInterval(0.001))
      case "early": .extendCoolDown(until: now.addingTimeInterval(0.001))
      default: .done
      }
    }
    #expect(try await client.send(request).body.text == "done")
    await client.shutdown()
  }

  @Test func `A judge may ask for another attempt, with its own wait, or cool the lane down`()
    async throws
  {
    let server = try server([.ok("one"), .ok("two"), .ok("three"), .ok("four")])
    defer { server.close() }
    let client = HTTPClient()
    let request = patient(
      .post, url: server.url(),
      retries: RetryPolicy(limit: 5, firstWait: .milliseconds(2), budget: .days),
      judge: { response, now in
        switch response.body.text {
        case "one": .retry
        case "two": .retryAfter(.milliseconds(3))
        case "three": .coolDown(until: now.addingTimeInterval(0.05))
        default: .done
        }
      })
    let response = try await client.send(request)
    #expect(response.body.text == "four")
    #expect(response.timings.attempts == 4)
    await client.shutdown()
  }

  @Test func `The chance that is handed in draws the wait`() async throws {
    let policy = RetryPolicy(firstWait: .hours, longestWait: .hours, budget: .days)
    for (chance, waits) in [(0.0, false), (1.0, true)] {
      let server = try server([.status(503), .ok("late")])
      defer { server.close() }
      var configuration = HTTPClient.Configuration()
      configuration.chance = { chance }
      let client = HTTPClient(configuration: configuration)
      let ends = Ends()
      let operation = client.enqueue(
        patient(url: server.url(), retries: policy), on: ends.queue, completion: ends.take)
      if waits {
        for await progress in client.progress where progress.counts.waitingToRetry == 1 { break }
        #expect(operation.state == .waitingToRetry)
        operation.cancel()
      }
      await ends.reached(1)
      #expect(ends.statuses == (waits ? [] : [200]))
      #expect(ends.codes == (waits ? [.cancelled] : []))
      #expect(server.targets.count == (waits ? 1 : 2))
      await client.shutdown()
    }
  }

  @Test func `A judge's done is the end whatever the status`() async throws {
    let server = try server([.status(429, headers: ["Retry-After: 1"])])
    defer { server.close() }
    let client = HTTPClient()
    let request = patient(url: server.url(), judge: { _, _ in .done })
    for _ in 0..<2 { #expect(try await client.send(request).status == 429) }
    await client.shutdown()
  }

  @Test func `A judge's quota word beyond the time left ends the request and its lane`()
    async throws
  {
    let server = try server([.ok("quota spent")])
    defer { server.close() }
    let client = HTTPClient()
    let request = patient(
      url: server.url(), retries: RetryPolicy(budget: .seconds(60)),
      judge: { _, now in .coolDown(until: now.addingTimeInterval(7200)) })
    #expect(try await client.send(request).body.text == "quota spent")
    let error = await #expect(throws: HTTPError.self) { try await client.send(request) }
    #expect(error?.code == .coolingDown)
    #expect(server.targets.count == 1)
    await client.shutdown()
  }

  @Test func `A POST is retried only if its policy includes it`()
    async throws
  {
    let answers = Shared(
      Mutex<[Answer]>([
        .reset, .status(503, headers: ["Connection: close"]), .ok(headers: ["Connection: close"]),
      ]))
    let server = try LoopbackServer { _ in answers.value.withLock { $0.removeFirst() } }
    defer { server.close() }
    let client = HTTPClient()
    var request = patient(.post, url: server.url(), retries: .soon)
    request.retries.methods.insert(.post)
    let response = try await client.send(request)
    #expect(response.status == 200)
    #expect(response.timings.attempts == 3)
    answers.value.withLock { $0 = [.reset] }
    request.retries.faults = [.nameLookup]
    let error = await #expect(throws: HTTPError.self) { try await client.send(request) }
    #expect(error?.timings.attempts == 1)
    await client.shutdown()
  }
}
