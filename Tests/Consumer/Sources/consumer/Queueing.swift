import Dispatch
import QueuedHTTP

extension Consumer {
  /// Cancels those requests that belong together.
  @Sendable static func cancelGroup(_ base: String, _: String) async throws {
    let client = HTTPClient()
    let group = RequestGroup(rawValue: "search")
    let operations = (0..<10).map { _ in
      client.enqueue(HTTPRequest(url: "\(base)/never", group: group))
    }
    let other = client.enqueue(HTTPRequest(url: "\(base)/text", lane: Lane(rawValue: "other")))
    client.cancel(group: group)
    var cancelled = 0
    for operation in operations {
      do throws(HTTPError) { _ = try await operation.value } catch {
        if error.code == .cancelled { cancelled += 1 }
      }
    }
    print(cancelled, try await other.value.status)
  }

  /// Sends a thousand requests, a few at once in each lane.
  @Sendable static func lanes(_ base: String, _: String) async throws {
    var configuration = HTTPClient.Configuration()
    configuration.concurrency = 12
    configuration.perLane = 4
    let client = HTTPClient(configuration: configuration)
    client.setLimit(1, for: Lane(rawValue: "lane 0"))
    let count = try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<1000 {
        let lane = Lane(rawValue: "lane \(number % 4)")
        let request = HTTPRequest(url: "\(base)/lane/\(number % 4)", lane: lane)
        group.addTask { try await client.send(request).status == 200 ? 1 : 0 }
      }
      return try await group.reduce(0, +)
    }
    print(count, client.counts.done)
  }

  /// Starts what is urgent first.
  @Sendable static func priorities(_ base: String, _: String) async throws {
    let client = HTTPClient()
    client.setConcurrency(0)
    let classes: [(String, RequestPriority)] = [
      ("low", .low), ("high", .high), ("normal", .normal),
    ]
    let operations = classes.map { name, priority in
      client.enqueue(HTTPRequest(url: "\(base)/priority/\(name)"), priority: priority)
    }
    client.setConcurrency(1)
    for operation in operations { print(try await operation.value.status) }
  }

  /// Takes the response in a closure, on a queue of its own.
  @Sendable static func callback(_ base: String, _: String) async throws {
    let client = HTTPClient()
    let queue = DispatchQueue(label: "consumer")
    await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
      client.enqueue(HTTPRequest(url: "\(base)/text"), on: queue) { result in
        dispatchPrecondition(condition: .onQueue(queue))
        switch result {
        case .success(let response): print(response.body.text)
        case .failure(let error): print(error)
        }
        done.resume()
      }
    }
  }
}
