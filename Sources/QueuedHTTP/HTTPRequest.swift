/// What is to be sent, and under which limits.
public struct HTTPRequest: Sendable {
  /// What is to be done there.
  public var method: HTTPMethod
  /// The absolute address, http or https, already percent-encoded.
  public var url: String
  /// The fields that are sent beside those of the client's own, which alone says how the body is framed:
  /// `Content-Length` and `Transfer-Encoding` are left out.
  public var headers: HTTPHeaders
  /// The bytes to send, or nil for none.
  public var body: [UInt8]?
  /// A body that is not in memory, in place of `body`.
  public var upload: UploadBody?
  /// What limits, pace and cool-down are kept by; nil means the origin of `url`.
  public var lane: Lane?
  /// How soon it starts beside the others that wait.
  public var priority: RequestPriority
  /// How long each stage may take.
  public var timeouts: Timeouts
  /// The longest time from its submission to its end: the queue, all attempts and the waits between
  /// them; nil means without an end. It ends with `HTTPError.Code.deadline`.
  public var deadline: Duration?
  /// When it is sent again.
  public var retries: RetryPolicy
  /// The most that its response may cost.
  public var bounds: ResponseBounds
  /// Decides on each response, off the worker thread; nil means the rules of `RetryPolicy`.
  public var judge: Judge?
  /// Names of further headers that are dropped, like `Authorization`, when a redirect leaves the
  /// origin.
  public var secretHeaders: Set<String>
  /// Whether redirects from https to http are followed, without the credentials and secret headers.
  public var allowsDowngrade: Bool
  /// Decides about each redirect; nil follows all that `bounds` and the rules for secrets allow.
  ///
  /// It runs on the thread of the transfers, so it must return quickly.
  public var onRedirect: (@Sendable (Redirect) -> RedirectDecision)?
  /// What it can be cancelled with, by `HTTPClient.cancel(group:)`.
  public var group: RequestGroup?
  /// Checks that the response must pass, in order; none accepts every status.
  public var validations: [ResponseValidation]
  /// Where the body of the response goes; `HTTPClient.stream` does not ask.
  public var destination: ResponseDestination
  /// What it wants of the client's cache.
  public var cachePolicy = CachePolicy.useCache

  /// Whether the cache may answer with what is no longer fresh; not where a caller has that already.
  var acceptsStale = true

  /// Describes a request: a `GET` with the default limits, unless told otherwise.
  public init(
    _ method: HTTPMethod = .get, url: String, headers: HTTPHeaders = [:], body: [UInt8]? = nil,
    lane: Lane? = nil, priority: RequestPriority = .normal, timeouts: Timeouts = Timeouts(),
    retries: RetryPolicy = RetryPolicy(), bounds: ResponseBounds = ResponseBounds(),
    judge: Judge? = nil, secretHeaders: Set<String> = [],
    allowsDowngrade: Bool = false,
    group: RequestGroup? = nil, destination: ResponseDestination = .memory,
    upload: UploadBody? = nil, validations: [ResponseValidation] = [], deadline: Duration? = nil
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.lane = lane
    self.priority = priority
    self.timeouts = timeouts
    self.retries = retries
    self.bounds = bounds
    self.judge = judge
    self.secretHeaders = secretHeaders
    self.allowsDowngrade = allowsDowngrade
    self.group = group
    self.destination = destination
    self.upload = upload
    self.validations = validations
    self.deadline = deadline
  }
}
