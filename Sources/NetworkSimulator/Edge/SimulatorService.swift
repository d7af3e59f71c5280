internal import Synchronization

/// Answers requests: parses a path's faults, asks the network, and counts.
final class SimulatorService: Sendable {
  private let seed: UInt64
  private let now: Int
  private let clock: @Sendable () -> Int
  private let written: @Sendable () -> Int?
  private let hasLatecomers: Bool
  private let credentials: SimulatedCredentials
  private let enforcesQuotas: Bool
  private let meter: QuotaMeter
  private let corpora = CorpusCache()
  private let answers = AnswerCache()
  private let log = Mutex(RequestLog())
  private let sessions = Atomic<Int>(0)

  static let networks: [any SimulatedNetwork] =
    [
      TwitterClassicNetwork(), XNetwork(), BlueskyNetwork(),
      MastodonNetwork(name: "mastodon", domain: "mastodon.example"),
      MastodonNetwork(name: "mastodon2", domain: "fediverse.example"),
      MastodonNetwork(name: "takahe", domain: "takahe.example", software: "takahe"),
      MastodonNetwork(
        name: "mastodon-closed", domain: "closed.example", listsHashtags: false),
      PixelfedNetwork(), GoToSocialNetwork(name: "gotosocial", namesItself: true),
      GoToSocialNetwork(name: "gotosocial-proxied", namesItself: false), HackerNewsNetwork(),
      GitHubNetwork(), LemmyNetwork(name: "lemmy", version: .present),
      LemmyNetwork(name: "lemmy018", version: .early),
      LemmyNetwork(name: "lemmy1", version: .later),
      StackExchangeNetwork(), LobstersNetwork(), DiscourseNetwork(), RedditNetwork(),
      MisskeyNetwork(), YouTubeNetwork(), DevToNetwork(), TumblrNetwork(), ThreadsNetwork(),
      SearXNGNetwork(), FeedNetwork(),
    ] + CatalogNetwork.all

  /// `now`, and what `clock` and `written` return, are milliseconds since 1970.
  init(
    seed: UInt64, now: Int, enforcesQuotas: Bool, clock: @escaping @Sendable () -> Int,
    written: @escaping @Sendable () -> Int? = { nil }, hasLatecomers: Bool = false
  ) {
    self.seed = seed
    self.now = now
    self.clock = clock
    self.written = written
    self.hasLatecomers = hasLatecomers
    self.enforcesQuotas = enforcesQuotas
    credentials = SimulatedCredentials(seed: seed)
    meter = QuotaMeter(isEnforced: enforcesQuotas)
  }

  /// The requests so far.
  var counters: Counters { log.withLock { $0.counters } }

  /// Returns the reply to a request.
  func reply(to request: SimulatedRequest) -> Reply {
    let network = Self.networks.first { $0.name == request.source }
    let state = network?.state(of: request)
    let earlier = log.withLock {
      $0.note(request, moving: state ?? (request.faults.isEmpty ? nil : request.query))
    }
    guard let network else {
      return Reply(
        answer: .plain("searchagg-sim: no such source: \(request.source.prefix(80))", status: 404))
    }
    var faults: [Fault] = []
    for segment in request.faults {
      guard let fault = Fault(segment) else {
        return Reply(
          answer: .plain("searchagg-sim: no such fault: ~\(segment.prefix(80))", status: 400))
      }
      faults.append(fault)
    }
    // Drawn from the request and its number of repetitions, so that other requests have no influence.
    var chance = SplitMix64(
      seed: StableHash.of("chance", request.path, request.query, "\(earlier.equal)", seed: seed))
    let plan = FaultPlan(faults, earlier: earlier.toPath) { chance.chance($0) }
    let answer = answer(to: request, from: network, plan: plan, repetition: earlier.equal)
    return Reply(
      answer: answer, delivery: plan.delivery, latency: plan.latency,
      bytesPerSecond: plan.bytesPerSecond)
  }

  private func answer(
    to request: SimulatedRequest, from network: any SimulatedNetwork, plan: FaultPlan,
    repetition: Int
  ) -> SimulatedAnswer {
    let clock = clock()
    let level = network.quota(for: request).map { meter.count($0, now: clock) }
    if let fault = plan.substitute,
      let answer = substitute(fault, for: request, from: network, clock: clock)
    {
      return answer
    }
    if enforcesQuotas, let level, level.isExceeded {
      let seconds = (level.reset - clock + 999) / 1000
      return network.slowDown(Wait(seconds: seconds, now: clock), to: request)
    }
    var answer = ownAnswer(
      to: request, from: network, plan: plan, clock: clock, repetition: repetition)
    if var level {
      if plan.paging == .pauses { level.spend(until: clock + 1000) }
      answer.headers += network.headers(stating: level, for: request)
    }
    return answer
  }

  private func ownAnswer(
    to request: SimulatedRequest, from network: any SimulatedNetwork, plan: FaultPlan, clock: Int,
    repetition: Int
  ) -> SimulatedAnswer {
    let isSession = request.method != "GET"
    let written = written()
    let make = { [self] in
      let world = SimulatedWorld(
        seed: seed, now: now, clock: clock, credentials: credentials, corpora: corpora,
        written: written, hasLatecomers: hasLatecomers,
        sessionNumber: isSession ? sessions.wrappingAdd(1, ordering: .relaxed).oldValue : 0,
        repetition: repetition, breaksItems: plan.breaksItems, isHostile: plan.isHostile,
        expiresFirstSession: plan.expiresFirstSession, paging: plan.paging)
      let answer = network.answer(to: request, in: world)
      return plan.paging == .errorBesideEmpty ? answer.withError : answer
    }
    if isSession || network.state(of: request) != nil { return make() }
    // A token may expire, so its cached response is used for one minute only.
    let authorization = request.header("authorization").map { "\($0) \(clock / 60_000)" } ?? ""
    let flags = "\(plan.breaksItems) \(plan.isHostile) \(plan.expiresFirstSession)"
    let key = [
      request.host, request.path, request.query, authorization, flags, "\(written ?? 0)",
    ].joined(separator: "\n")
    return answers.answer(key, make: make)
  }

  private func substitute(
    _ fault: Fault, for request: SimulatedRequest, from network: any SimulatedNetwork, clock: Int
  ) -> SimulatedAnswer? {
    switch fault {
    case .garbage: FaultAnswers.garbage(seed: seed)
    case .html: FaultAnswers.page
    case .status(let status): network.refusal(status, to: request)
    case .retryAfter(let seconds):
      network.slowDown(Wait(seconds: seconds, now: clock), to: request)
    case .redirectLoop: FaultAnswers.loop(request)
    case .redirect(let scheme): FaultAnswers.redirect(request, scheme: scheme)
    case .latency, .stall, .stallAfter, .trickle, .reset, .cut, .empty, .flood, .big, .bomb,
      .brokenItem,
      .hostile, .expiredToken, .paging, .sometimes, .first, .after:
      nil
    }
  }
}

/// A response with the way it is delivered.
struct Reply: Sendable {
  var answer: SimulatedAnswer
  var delivery = Delivery.whole
  /// In milliseconds, before the first byte.
  var latency = 0
  var bytesPerSecond: Int?
}

/// The answers made lately, up to a bound of bytes: writing JSON is most of a request's cost.
final class AnswerCache: Sendable {
  private struct Contents {
    var answers: [String: SimulatedAnswer] = [:]
    var order: [String] = []
    var bytes = 0
  }

  private let contents = Mutex(Contents())
  private let bound: Int

  init(bound: Int = 32 << 20) { self.bound = bound }

  /// Returns the answer kept under `key`, or makes and keeps it.
  func answer(_ key: String, make: () -> SimulatedAnswer) -> SimulatedAnswer {
    if let kept = contents.withLock({ $0.answers[key] }) { return kept }
    let made = make()
    contents.withLock { contents in
      guard contents.answers[key] == nil else { return }
      contents.bytes += made.body.count
      contents.order.append(key)
      contents.answers[key] = made
      guard contents.bytes > bound else { return }
      // Half at once, so that the order is not shifted for each.
      let dropped = contents.order.prefix(contents.order.count / 2)
      for key in dropped {
        contents.bytes -= contents.answers.removeValue(forKey: key)?.body.count ?? 0
      }
      contents.order.removeFirst(dropped.count)
    }
    return made
  }
}
