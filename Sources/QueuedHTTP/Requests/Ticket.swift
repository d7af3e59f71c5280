internal import Synchronization

/// The immutable part of a request, from submission to completion, and the mark of its cancellation.
final class Ticket: Sendable {
  let id: RequestID
  /// Set when its cancellation is decided, but not carried out yet: it must not start any more.
  // Next to the request: `cancel(where:)` reads one and sets the other, for 100,000 tickets in a row.
  private let cancellationMark = Atomic<Bool>(false)
  let request: HTTPRequest
  let hop: Hop
  let lane: Lane
  let delivery: Delivery
  /// True if it uses the cache.
  let isCached: Bool
  /// The validators with which to ask the server whether the stored response is unchanged.
  let validators: CacheValidators?
  /// True if the client's interceptor changes each attempt.
  let isIntercepted: Bool
  /// The clients whose interceptors have submitted it, and wait for it.
  let enclosingClients: Set<ObjectIdentifier>
  /// The request as it was submitted, if this is one that the interceptor has changed.
  private let submitted: Ticket?

  /// True if an interceptor has submitted it, so that it must not wait for other requests.
  var isUrgent: Bool { !enclosingClients.isEmpty }

  /// True if it is about to be canceled.
  var isMarkedForCancellation: Bool { cancellationMark.load(ordering: .acquiring) }

  /// Keeps it from starting until it is canceled.
  func markForCancellation() {
    // A shared transfer ends with its last member.
    if case .members = delivery { return }
    cancellationMark.store(true, ordering: .releasing)
  }

  /// Checks the request; throws `.badRequest` if it cannot be sent, and `.notCached` if only a cache may
  /// answer it but cannot.
  init(
    id: RequestID, request: HTTPRequest, delivery: Delivery, hasCache: Bool,
    isIntercepted: Bool = false, enclosingClients: Set<ObjectIdentifier> = []
  ) throws(HTTPError) {
    self.id = id
    self.isIntercepted = isIntercepted
    self.enclosingClients = enclosingClients
    submitted = nil
    self.request = request
    self.delivery = delivery
    var hop = try Hop(request)
    lane = request.lane ?? Lane(rawValue: hop.address.origin)
    validators = nil
    isCached = hasCache && CacheRules.concerns(request) && !delivery.isStream
    if request.cachePolicy == .onlyCached, !isCached {
      throw HTTPError(.notCached, reason: "no cache can answer this request")
    }
    if isCached, request.cachePolicy == .reload, request.headers["Cache-Control"] == nil {
      // So that no cache on the way answers, either.
      hop.cacheFields["Cache-Control"] = "no-cache"
    }
    self.hop = hop
  }

  /// The same request with other validators, or without any, and without an interceptor's changes.
  init(_ ticket: Ticket, validators: CacheValidators?) {
    let ticket = ticket.submitted ?? ticket
    isIntercepted = ticket.isIntercepted
    enclosingClients = ticket.enclosingClients
    submitted = nil
    id = ticket.id
    request = ticket.request
    delivery = ticket.delivery
    lane = ticket.lane
    isCached = ticket.isCached
    self.validators = validators
    var hop = ticket.hop
    hop.cacheFields = validators?.conditions ?? HTTPHeaders()
    self.hop = hop
  }

  /// The same request as an interceptor has changed it; throws `.badRequest` if it cannot be sent.
  init(_ ticket: Ticket, adapted change: HTTPRequest) throws(HTTPError) {
    let request = ticket.request.adapted(by: change)
    self.request = request
    var hop = try Hop(request)
    hop.cacheFields = ticket.hop.cacheFields
    self.hop = hop
    (id, delivery, lane) = (ticket.id, ticket.delivery, ticket.lane)
    isCached = ticket.isCached && CacheRules.concerns(request)
    validators = ticket.validators
    isIntercepted = ticket.isIntercepted
    enclosingClients = ticket.enclosingClients
    submitted = ticket
  }

  /// The key by which it may share a transfer; nil if it needs its own.
  var joinKey: JoinKey? {
    // An urgent request could join one that waits for it.
    guard request.method == .get || request.method == .head, request.body == nil, !isUrgent,
      request.upload == nil, staysInMemory, request.judge == nil, request.validations.isEmpty,
      request.onRedirect == nil, progressThreshold == nil
    else { return nil }
    return JoinKey(request)
  }

  /// True if the body of a successful response stays in memory.
  var staysInMemory: Bool { !delivery.isStream && request.destination == .memory }

  /// The file in which a hop may continue what an earlier attempt has received; nil if there is none.
  func resumedFile(by hop: Hop) -> String? {
    guard case .file(let path, resumes: true) = request.destination, hop.method == .get
    else { return nil }
    return path
  }

  /// The lane of a hop: the request's own, or else that of the hop's origin.
  func lane(of hop: Hop) -> Lane { request.lane ?? Lane(rawValue: hop.address.origin) }

  /// True if the cache is asked before the request enters the queue.
  var isLookedUp: Bool { isCached && request.cachePolicy != .reload }

  /// The step in percent at which progress is reported; nil if nobody wants it.
  var progressThreshold: Double? {
    switch delivery {
    case .waiter, .stream, .members: nil
    case .callbacks(let callbacks): callbacks.progressThreshold
    }
  }

  /// True if a part of the response was handed out, so that no other response can replace it.
  var hasBegun: Bool {
    switch delivery {
    case .waiter, .callbacks, .members: false
    case .stream(let stream): stream.hasBegun
    }
  }

  func report(_ progress: TransferProgress) {
    switch delivery {
    case .waiter, .stream, .members: break
    case .callbacks(let callbacks): callbacks.report(progress)
    }
  }
}

extension ObservedRequest {
  init(_ ticket: Ticket) {
    self.init(
      id: ticket.id.rawValue, request: ticket.request, lane: ticket.lane,
      address: ticket.hop.address.censored)
  }

  /// A request that could not be submitted.
  init(id: RequestID, malformed request: HTTPRequest) {
    self.init(
      id: id.rawValue, request: request, lane: request.lane ?? Lane(rawValue: ""), address: "")
  }
}
