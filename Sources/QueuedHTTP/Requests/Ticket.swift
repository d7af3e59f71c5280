/// What stays the same of a request from its being taken in to its end.
final class Ticket: Sendable {
  let id: RequestID
  let request: HTTPRequest
  let hop: Hop
  let lane: Lane
  let delivery: Delivery
  /// Whether the cache is asked, and told how it ended.
  let isCached: Bool
  /// What the server is asked with whether the stored response is unchanged.
  let validators: CacheValidators?

  /// Checks the request; throws `.badRequest` for one that cannot be sent, and `.notCached` for one
  /// that no cache could answer although only a cache may.
  init(
    id: RequestID, request: HTTPRequest, delivery: Delivery, hasCache: Bool
  ) throws(HTTPError) {
    self.id = id
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
      // So that no cache on the way answers either.
      hop.cacheFields["Cache-Control"] = "no-cache"
    }
    self.hop = hop
  }

  /// The same request, which asks whether the stored response is unchanged, or no more.
  init(_ ticket: Ticket, validators: CacheValidators?) {
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

  /// What it may share a transfer by; nil where it needs one of its own.
  var joinKey: JoinKey? {
    guard request.method == .get || request.method == .head, request.body == nil,
      request.upload == nil, staysInMemory, request.judge == nil, request.validations.isEmpty,
      request.onRedirect == nil, progressThreshold == nil
    else { return nil }
    return JoinKey(request)
  }

  /// Whether the body of a successful response stays in memory.
  var staysInMemory: Bool { !delivery.isStream && request.destination == .memory }

  /// The lane in which a hop is sent: the request's own, else that of the hop's address.
  func lane(of hop: Hop) -> Lane { request.lane ?? Lane(rawValue: hop.address.origin) }

  /// Whether the cache is asked before it is put into the queue.
  var isLookedUp: Bool { isCached && request.cachePolicy != .reload }

  /// The step in percent at which progress is told; nil where nobody listens.
  var progressThreshold: Double? {
    switch delivery {
    case .waiter, .stream, .members: nil
    case .callbacks(let callbacks): callbacks.progressThreshold
    }
  }

  /// Whether a part of the response was handed out, so that no other may take its place.
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

/// The part of an attempt that is sent in one lane: its first hop, and what went before.
struct Leg: Sendable {
  /// Nil for the request's own first hop, which most attempts begin with.
  var hop: Hop?
  /// Which attempt of the request it is, from 1 on.
  var attempt = 1
  /// How long the attempt has been running, in other lanes.
  var elapsed = Duration.zero
}

/// Where a request's end goes.
enum Delivery: Sendable {
  case waiter(ResponseWaiter)
  case callbacks(OperationCallbacks)
  case stream(BodyStream)
  /// To the requests that share the transfer.
  case members

  var isStream: Bool {
    if case .stream = self { true } else { false }
  }

  func deliver(_ result: Result<HTTPResponse, HTTPError>) {
    switch self {
    case .waiter(let waiter): waiter.continuation.resume(returning: result)
    case .callbacks(let callbacks): callbacks.end(result)
    case .stream(let stream): stream.end(result)
    case .members: break
    }
  }
}

/// A task that waits for a response.
///
/// An object of our own, since the standard library does not fix the size of a continuation: every
/// copy of whatever holds one would go through tables that are looked up at run time.
final class ResponseWaiter: Sendable {
  let continuation: CheckedContinuation<Result<HTTPResponse, HTTPError>, Never>

  init(_ continuation: CheckedContinuation<Result<HTTPResponse, HTTPError>, Never>) {
    self.continuation = continuation
  }
}

/// What requests have in common that one transfer can serve: all that could change the response.
struct JoinKey: Hashable, Sendable {
  private let method: HTTPMethod
  private let url: String
  private let headers: HTTPHeaders
  private let secretHeaders: Set<String>
  private let lane: Lane?
  private let timeouts: Timeouts
  private let retries: RetryPolicy
  private let bounds: ResponseBounds
  private let allowsDowngrade: Bool
  private let cachePolicy: CachePolicy
  private let acceptsStale: Bool

  init(_ request: HTTPRequest) {
    method = request.method
    url = request.url
    headers = request.headers
    secretHeaders = request.secretHeaders
    lane = request.lane
    timeouts = request.timeouts
    retries = request.retries
    bounds = request.bounds
    allowsDowngrade = request.allowsDowngrade
    cachePolicy = request.cachePolicy
    acceptsStale = request.acceptsStale
  }
}
