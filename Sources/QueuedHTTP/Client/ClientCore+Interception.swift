internal import Synchronization

extension ClientCore {
  /// The clients whose interceptors the current task works for.
  var enclosingClients: Set<ObjectIdentifier> {
    // Without an interceptor, no slot is held by a request that could wait for another.
    configuration.interceptor == nil ? [] : Interception.clients
  }

  /// True if requests that the current task submits are intercepted.
  var isIntercepting: Bool {
    configuration.interceptor != nil && !Interception.clients.contains(ObjectIdentifier(self))
  }

  /// Lets the interceptor change an attempt, and then sends it.
  func adapt(_ adaptation: Adaptation) {
    let (ticket, leg) = (adaptation.ticket, adaptation.leg)
    let attempt = InterceptedAttempt(
      id: ticket.id.rawValue, number: leg.attempt, repeats: adaptation.repeats)
    intercept(ticket, attempt) { [self] adapted in
      let now = now
      perform(state.withLock { $0.send(adapted, leg, now: now) })
    }
  }

  /// Lets the interceptor change a request before the cache is asked.
  func adaptForCache(_ ticket: Ticket, then ask: @escaping @Sendable (Ticket) -> Void) {
    guard state.withLock({ $0.beginInterception(of: ticket.id) }) else { return }
    let attempt = InterceptedAttempt(id: ticket.id.rawValue, number: 0, repeats: 0)
    intercept(ticket, attempt, then: ask)
  }

  private func intercept(
    _ ticket: Ticket, _ attempt: InterceptedAttempt,
    then proceed: @escaping @Sendable (Ticket) -> Void
  ) {
    runInterceptor(for: ticket) { [self] interceptor in
      let adapted: Ticket
      do {
        adapted = try Ticket(
          ticket, adapted: try await interceptor.adapt(ticket.request, for: attempt))
      } catch {
        interceptions.end(ticket.id)
        return RequestEnd(self, ticket).complete(.failure(Self.failure(error)))
      }
      interceptions.end(ticket.id)
      proceed(adapted)
    }
  }

  /// Asks the interceptor whether an attempt is to be repeated.
  ///
  /// - Parameter decide: Called with its decision.
  func askToRepeat(
    _ ticket: Ticket, after result: Result<HTTPResponse, HTTPError>, _ attempt: InterceptedAttempt,
    _ decide: @escaping @Sendable (RequestEnd, Bool) -> Void
  ) {
    runInterceptor(for: ticket) { [self] interceptor in
      let end = RequestEnd(self, ticket)
      do {
        let isRepeated = try await interceptor.shouldRepeat(
          ticket.request, after: result, of: attempt)
        interceptions.end(ticket.id)
        decide(end, isRepeated)
      } catch {
        interceptions.end(ticket.id)
        var failure = Self.failure(error)
        if case .success(let response) = result {
          (failure.response, failure.timings) = (response, response.timings)
        }
        end.complete(.failure(failure))
      }
    }
  }

  /// The request with the changes of the interceptor, for asking the cache alone.
  func adaptedForCache(_ request: HTTPRequest) async throws(HTTPError) -> HTTPRequest {
    guard let interceptor = configuration.interceptor else { return request }
    let outer = Interception.clients
    guard !outer.contains(ObjectIdentifier(self)) else { return request }
    let attempt = InterceptedAttempt(id: 0, number: 0, repeats: 0)
    do {
      let adapted = try await Interception.$clients.withValue(
        outer.union([ObjectIdentifier(self)])
      ) { try await interceptor.adapt(request, for: attempt) }
      return request.adapted(by: adapted)
    } catch {
      throw Self.failure(error)
    }
  }

  private func runInterceptor(
    for ticket: Ticket, _ work: @escaping @Sendable (any RequestInterceptor) async -> Void
  ) {
    guard let interceptor = configuration.interceptor else { return }
    let clients = ticket.enclosingClients.union([ObjectIdentifier(self)])
    interceptions.run(ticket.id) {
      await Interception.$clients.withValue(clients) { await work(interceptor) }
    }
    // It may have ended before there was anything to cancel.
    if !state.withLock({ $0.isUnderWay(ticket.id) }) { interceptions.cancel(ticket.id) }
  }

  private static func failure(_ error: any Error) -> HTTPError {
    if let error = error as? HTTPError, error.code == .interceptor { return error }
    var failure = HTTPError(.interceptor, reason: "the interceptor failed: \(error)")
    failure.underlyingError = error
    return failure
  }
}
