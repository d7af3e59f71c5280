import Dispatch
import QueuedHTTP
import Synchronization

/// Collects the ends of operations, on a serial queue of its own.
final class Ends: Sendable {
  private struct State {
    var results: [Result<HTTPResponse, HTTPError>] = []
    var waiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  let queue = DispatchQueue(label: "tests.ends")
  private let state = Mutex(State())

  var results: [Result<HTTPResponse, HTTPError>] { state.withLock { $0.results } }

  var errors: [HTTPError] {
    results.compactMap { result in
      guard case .failure(let error) = result else { return nil }
      return error
    }
  }

  var codes: [HTTPError.Code] { errors.map(\.code) }

  var statuses: [Int] {
    results.compactMap { result in
      guard case .success(let response) = result else { return nil }
      return response.status
    }
  }

  @Sendable func take(_ result: Result<HTTPResponse, HTTPError>) {
    let due = state.withLock { state in
      state.results.append(result)
      let count = state.results.count
      let due = state.waiters.filter { $0.count <= count }
      state.waiters.removeAll { $0.count <= count }
      return due
    }
    for waiter in due { waiter.continuation.resume() }
  }

  /// Returns when so many have ended.
  func reached(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isNow = state.withLock { state in
        if state.results.count >= count { return true }
        state.waiters.append((count, continuation))
        return false
      }
      if isNow { continuation.resume() }
    }
  }
}
