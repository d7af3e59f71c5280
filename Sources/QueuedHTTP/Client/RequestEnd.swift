internal import Dispatch
internal import Synchronization

/// The path of a request from the end of an attempt to whoever waits for its result.
///
/// | stage | decides | runs on |
/// | --- | --- | --- |
/// | `attemptEnded` | which of the stages comes next | the worker |
/// | `nameFile` | whether a body in a file is accepted and gets its name | judges', then files' queue |
/// | `revalidate` | whether a 304 confirms the stored response | cache queue |
/// | `repair` | whether the interceptor has the attempt repeated | its own task, if it is asked |
/// | `judge` | what a response asks for | judges' queue, if the request has a judge |
/// | `retryOrEnd` | whether there is another attempt | where the stage before it ran |
/// | `validate` | whether the response passes the request's checks | judges' queue, if there are any |
/// | `updateCache` | what the cache keeps, or serves in place of an error | cache queue, if it changes |
/// | `complete` | that the request is removed from the queue, and its slot is free | same |
///
/// Then `ClientCore.deliver` hands out the result. The request keeps its slot until `complete`: a judge
/// that cools the lane down must be heard before the next start, and no more bodies wait for the disk
/// than transfers may run.
struct RequestEnd {
  let core: ClientCore
  let ticket: Ticket
  /// Collects the results of the worker's round; nil on other threads.
  let outbox: Outbox?

  init(_ core: ClientCore, _ ticket: Ticket, _ outbox: Outbox? = nil) {
    self.core = core
    self.ticket = ticket
    self.outbox = outbox
  }

  /// Continues with a stage on a queue, outside of the worker.
  private func leaveWorker(
    for queue: DispatchQueue, _ stage: @escaping @Sendable (RequestEnd) -> Void
  ) {
    queue.async { [core, ticket] in stage(RequestEnd(core, ticket)) }
  }

  func attemptEnded(_ outcome: AttemptOutcome) {
    switch outcome {
    // A part of the response was handed out, so no other can take its place.
    case .fault(let error) where ticket.hasBegun: updateCache(.failure(error))
    case .response(let response) where ticket.hasBegun: updateCache(.success(response))
    case .file(let response, let file): nameFile(file, response)
    case .fault(let error): repair(.failure(error))
    case .response(let response) where ticket.validators != nil && response.status == 304:
      revalidate(response)
    case .response(let response): repair(.success(response))
    }
  }

  private func repair(_ result: Result<HTTPResponse, HTTPError>) {
    guard ticket.isIntercepted, Self.isFailure(result) else { return judge(result) }
    let limit = core.configuration.interceptorRepeats
    let attempt = core.state.withLock { $0.beginRepair(of: ticket.id, limit: limit) }
    guard let attempt else { return judge(result) }
    core.askToRepeat(ticket, after: result, attempt) { end, isRepeated in
      if isRepeated, let observer = end.core.configuration.observer {
        observer.retried(ObservedRequest(end.ticket), after: .zero, because: result)
      }
      let now = end.core.now
      end.core.perform(
        end.core.state.withLock {
          $0.endRepair(of: end.ticket.id, isRepeated: isRepeated, now: now)
        })
      if !isRepeated { end.judge(result) }
    }
  }

  /// True for what the interceptor is asked about.
  private static func isFailure(_ result: Result<HTTPResponse, HTTPError>) -> Bool {
    switch result {
    case .success(let response): response.status >= 400
    case .failure: true
    }
  }

  private func judge(_ result: Result<HTTPResponse, HTTPError>) {
    switch result {
    case .success(let response): judge(response)
    case .failure(let error):
      retryOrEnd(result, RetryRules.plan(for: error, of: ticket.request))
    }
  }

  private func nameFile(_ file: BodyFile, _ response: HTTPResponse) {
    leaveWorker(for: core.judges) { end in
      if let refusal = end.ticket.request.refusal(of: response) {
        file.discard()
        return end.updateCache(.failure(refusal))
      }
      end.leaveWorker(for: end.core.filing) { end in
        // A canceled request discards the file; after this it cannot be canceled any more.
        guard end.core.state.withLock({ $0.claim(end.ticket.id) }) else {
          file.discard()
          return end.updateCache(.success(response))
        }
        do throws(HTTPError) {
          try file.commit()
          end.updateCache(.success(response))
        } catch { end.updateCache(.failure(error)) }
      }
    }
  }

  private func revalidate(_ answer: HTTPResponse) {
    leaveWorker(for: core.caching) { end in
      guard let validators = end.ticket.validators else { return }
      let response = end.core.cacheInterceptor?.revalidated(
        end.ticket.request, at: end.ticket.hop.address, by: validators, answer)
      if let response { return end.judge(response) }
      // The entry is gone, or the answer is about another one: request the whole, in the same slot.
      let now = end.core.now
      end.core.perform(
        end.core.state.withLock {
          $0.startAgain(Ticket(end.ticket, validators: nil), now: now)
        })
    }
  }

  private func judge(_ response: HTTPResponse) {
    let longestWait = core.configuration.longestServerWait
    guard let judge = ticket.request.judge else {
      let plan = RetryRules.plan(
        for: response, to: ticket.request, now: core.configuration.now(),
        longestWait: longestWait)
      return retryOrEnd(.success(response), plan)
    }
    leaveWorker(for: core.judges) { end in
      let now = end.core.now
      let plan = RetryRules.plan(
        for: judge(response, now.date), on: response, now: now, longestWait: longestWait)
      end.retryOrEnd(.success(response), plan)
    }
  }

  private func retryOrEnd(_ result: Result<HTTPResponse, HTTPError>, _ plan: RetryRules.Plan) {
    // A response that is worth another attempt is not worth keeping.
    let isKept = !plan.isRepeated
    guard plan != .end else { return validate(result, isKept: isKept) }
    let now = core.now
    let chance = core.configuration.chance()
    let decision = core.state.withLock {
      $0.retry(ticket.id, plan: plan, chance: chance, now: now)
    }
    if let observer = core.configuration.observer, let wait = decision.wait {
      if let lane = decision.cooled { observer.cooledDown(lane, for: wait) }
      if decision.isRepeated {
        observer.retried(ObservedRequest(ticket), after: wait, because: result)
      }
    }
    core.perform(decision.effects, outbox)
    if !decision.isRepeated { validate(result, isKept: isKept) }
  }

  private func validate(_ result: Result<HTTPResponse, HTTPError>, isKept: Bool) {
    guard case .success(let response) = result, !ticket.request.validations.isEmpty,
      !ticket.hasBegun
    else { return updateCache(result, isKept: isKept) }
    leaveWorker(for: core.judges) { end in
      let refusal = end.ticket.request.refusal(of: response)
      end.updateCache(refusal.map { .failure($0) } ?? result, isKept: isKept)
    }
  }

  private func updateCache(_ result: Result<HTTPResponse, HTTPError>, isKept: Bool = false) {
    guard let interceptor = core.cacheInterceptor else { return complete(result) }
    let isFailure = ticket.isCached && CacheRules.isFailure(result)
    guard isFailure || interceptor.isChanged(by: result, of: ticket) else {
      return complete(result)
    }
    leaveWorker(for: core.caching) { end in
      let now = end.core.configuration.now()
      if isFailure,
        let stored = interceptor.substitute(
          for: end.ticket.request, at: end.ticket.hop.address, now: now)
      {
        return end.complete(.success(stored))
      }
      interceptor.update(with: result, of: end.ticket, isKept: isKept, now: now)
      end.complete(result)
    }
  }

  /// Removes the request from the queue with its result.
  func complete(_ result: Result<HTTPResponse, HTTPError>) {
    let now = core.now
    core.perform(core.state.withLock { $0.finish(ticket.id, result, now: now) }, outbox)
  }
}
