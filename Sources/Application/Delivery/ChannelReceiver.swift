package import FoundationEssentials
package import QueuedHTTP
internal import SearchModel
internal import SearchSources
internal import Synchronization
internal import TextFormats

/// Sends new posts to a channel, in as few messages as its service allows.
///
/// The address of a webhook is a secret, so messages only name the channel.
package final class ChannelReceiver: Delivery.Receiver {
  private static let longestWait = 60.0
  private static let attempts = 4
  /// The number of posts in a row that may be refused before the channel counts as failing: of one that has taken
  /// others, and of one that has taken none yet.
  private static let (mostRefusals, firstRefusals) = (20, 3)

  /// The fate of a message.
  private enum Outcome {
    case taken
    /// The message itself is at fault: the service may take others.
    case refused(Delivery.Failure)
    case failed(Delivery.Failure)
  }

  package let key: String
  package let name: String
  private let service: ChannelService
  private let url: String
  private let headers: HTTPHeaders
  /// The values that no message may show.
  private let secrets: [String]
  private let client: HTTPClient
  private let surroundings: Surroundings
  /// The time between two messages, as the service asks for.
  private let pause: Duration
  private let state = Mutex(State())

  private struct State {
    var isStopped = false
    /// True once a message was taken.
    var takes = false
    /// The number of posts that were refused since.
    var refusals = 0
    /// The moment from which on the service allows another message.
    var next: Duration?
    /// The wait between two messages or attempts.
    var wait: Task<Void, Never>?
  }

  /// Fills in the credentials; throws if one is missing or must not be sent there.
  ///
  /// - Parameter values: The credentials that are set, by their variables.
  package init(
    _ channel: Channel, credentials values: [String: String], over client: HTTPClient,
    in surroundings: Surroundings
  ) throws {
    let names = channel.credentialNames
    for name in names {
      guard let value = values[name] else {
        throw Self.failure("\(name) is not set; see: searchagg auth set \(name)", of: channel)
      }
      if !Secrets.isUsable(value) {
        throw Self.failure("\(name) \(Secrets.unusable)", of: channel)
      }
    }
    let url = channel.url.filled(values)
    let query = url.firstIndex(of: "?") ?? url.endIndex
    let server = try Self.server(at: url, of: channel)
    var headers = HTTPHeaders()
    for header in channel.headers { headers[header.name] = header.value.filled(values) }
    key = "\(channel.name) notify"
    name = "channel '\(channel.name)'"
    service = channel.service
    self.url =
      service.numbersAddresses ? String(url[..<query]) + "/{id}" + url[query...] : url
    self.headers = headers
    secrets = Self.secrets(in: url) + Array(values.values)
    self.client = client
    self.surroundings = surroundings
    pause = server.isLoopback ? .zero : channel.service.pause
  }

  /// Throws for an address that nothing is sent to, as far as it holds no credential.
  package static func check(_ channel: Channel) throws(CommandFailure) {
    guard channel.url.names.isEmpty else { return }
    _ = try server(at: channel.url.filled([:]), of: channel)
  }

  private static func server(
    at url: String, of channel: Channel
  ) throws(CommandFailure) -> ServerAddress {
    guard let server = ServerAddress.whole(url) else {
      throw failure("expected an address such as https://hooks.example.org/…", of: channel)
    }
    guard server.isSecure || server.isLoopback else {
      throw failure("new posts are only sent over https", of: channel)
    }
    return server
  }

  private static func failure(_ words: String, of channel: Channel) -> CommandFailure {
    CommandFailure(.badConfiguration, "channel '\(channel.name)': \(words)")
  }

  /// The parts of an address that an answer may repeat: its path, and each part of that which may be a secret.
  private static func secrets(in url: String) -> [String] {
    let slash = url.firstRange(of: "://").flatMap { url[$0.upperBound...].firstIndex(of: "/") }
    guard let slash, case let path = url[url.index(after: slash)...], !path.isEmpty else {
      return [url]
    }
    let parts = path.split { "/?&=".contains($0) }.filter { part in
      part.utf8.count >= shortestSecret && part.utf8.contains(where: \.isASCIIDigit)
    }
    return [url, String(url[slash...]), String(path)] + parts.map(String.init)
  }

  private static let shortestSecret = 8

  package func take(
    _ lines: [Substring], of batch: String, progress: @Sendable (Int) -> Void,
    refuse: @Sendable (Int, _ reason: String) -> Delivery.Failure?
  ) async -> Delivery.Failure? {
    // The last ones come first; a post that was refused together with others is sent alone.
    var messages = ChannelMessage.messages(of: lines, for: service).reversed()
      .map { (message: $0, isAlone: false) }
    var place = 0
    var refused: (count: Int, failure: Delivery.Failure)?
    /// Puts aside what was refused by a channel that takes other posts; returns the failure if it cannot.
    func settle() -> Delivery.Failure? {
      guard let known = refused, state.withLock({ $0.takes }) else { return nil }
      if let failure = refuse(known.count, known.failure.reason) { return failure }
      refused = nil
      return nil
    }
    while let (message, isAlone) = messages.popLast() {
      // Before more is taken, as that can only be noted after it.
      if let failure = settle() { return failure }
      await keepPace()
      // A message keeps its number when it is sent again, so that Matrix drops the duplicate.
      let number = "searchagg-\(batch)-\(lines.count - place)"
      let outcome = await send(message, numbered: isAlone ? number + "-1" : number)
      state.withLock { $0.next = surroundings.steadyClock.now() + pause }
      switch outcome {
      case .taken:
        state.withLock { ($0.takes, $0.refusals) = (true, 0) }
        if let failure = settle() { return failure }
        progress(message.count)
      case .refused where message.count > 1:
        let posts = lines[place..<place + message.count]
        messages += posts.reversed().flatMap { ChannelMessage.messages(of: [$0], for: service) }
          .map { (message: $0, isAlone: true) }
        continue
      case .refused(let failure):
        refused = ((refused?.count ?? 0) + 1, failure)
        if fails() { return failure }
      case .failed(let failure): return failure
      }
      place += message.count
    }
    return settle() ?? refused?.failure
  }

  /// Notes that a post was refused; returns whether the channel fails: one that takes nothing at all is not asked for
  /// each post.
  private func fails() -> Bool {
    state.withLock { state in
      state.refusals += 1
      guard state.refusals >= (state.takes ? Self.mostRefusals : Self.firstRefusals) else {
        return false
      }
      (state.takes, state.refusals) = (false, 0)
      return true
    }
  }

  /// Waits until the service allows another message.
  private func keepPace() async {
    guard pause > .zero else { return }
    let now = surroundings.steadyClock.now()
    if let next = state.withLock({ $0.next }), next > now { await sleep(next - now) }
  }

  /// Sends one message that says what it is; returns the reason of a failure.
  package func test(at now: Date) async -> Delivery.Failure? {
    let post = JSONValue.members([
      "id": .string("test"), "source": .string("searchagg"),
      "text": .string("This is a test message of searchagg."),
      "created_at": .string(RFC3339.format(now)),
    ])
    let line = String(decoding: post.bytes, as: UTF8.self)
    let token = String(UInt64.random(in: 0 ... .max), radix: 16)
    return await take(
      [line[...]], of: token, progress: { _ in }, refuse: { _, reason in Delivery.Failure(reason) })
  }

  package func stop() {
    let wait = state.withLock { state in
      state.isStopped = true
      return state.wait
    }
    wait?.cancel()
    client.beginCancelAll()
  }

  /// Waits, but not after `stop`.
  private func sleep(_ time: Duration) async {
    let wait = state.withLock { state in
      guard !state.isStopped else { return nil as Task<Void, Never>? }
      let wait = Task { await surroundings.steadyClock.sleep(time) }
      state.wait = wait
      return wait
    }
    await wait?.value
  }

  /// Sends a message; waits when the service asks for a short pause.
  private func send(_ message: ChannelMessage, numbered id: String) async -> Outcome {
    var request = HTTPRequest(
      service.method, url: url.replacing("{id}", with: PercentEncoding.encode(id)), headers: headers
    )
    request.headers["Content-Type"] = service.contentType
    request.body = message.body
    if let title = service.title { request.headers["Title"] = title(message.count) }
    request.timeouts = Timeouts(connect: .seconds(10), idle: .seconds(20), total: .seconds(30))
    request.retries = RetryPolicy(limit: 0, budget: .seconds(30))
    // Some receivers answer with a whole page, or with all messages so far.
    request.bounds = ResponseBounds(bodyBytes: 4 << 20)
    request.judge = { _, _ in .done }
    request.onRedirect = { _ in .stop }
    request.cachePolicy = .ignore
    for attempt in 1...Self.attempts {
      if state.withLock(\.isStopped) { return .failed(Delivery.Failure("interrupted")) }
      let response: HTTPResponse
      do throws(HTTPError) { response = try await client.send(request) } catch {
        let isLasting = [.tls, .proxy, .badRequest, .redirect].contains(error.code)
        return .failed(Delivery.Failure(shown(error.reason), isTemporary: !isLasting))
      }
      if response.isSuccess {
        guard isWebPage(response) else { return .taken }
        let reason = "the response is a web page (\(response.status)); check the channel's address"
        return .failed(Delivery.Failure(reason))
      }
      if [400, 413, 422].contains(response.status) {
        return .refused(Delivery.Failure(refusal(response)))
      }
      let wait = wait(askedBy: response)
      guard response.status == 429, attempt < Self.attempts, let wait, wait <= Self.longestWait
      else {
        let until = wait.map { surroundings.now().addingTimeInterval($0) }
        let isRateLimit = response.status == 429
        return .failed(
          Delivery.Failure(
            refusal(response), until: until, isTemporary: response.status >= 500 || isRateLimit,
            isRateLimit: isRateLimit))
      }
      await sleep(.seconds(max(wait, 0.05)))
    }
    return .failed(Delivery.Failure("too many requests", isTemporary: true, isRateLimit: true))
  }

  /// The wait in seconds that a response asks for: `Retry-After`, or else a number in the body.
  private func wait(askedBy response: HTTPResponse) -> Double? {
    let now = surroundings.now()
    if let moment = RateLimit(response.headers, now: now).retryAfter {
      return moment.timeIntervalSince(now)
    }
    let body = try? JSONValue(reading: Array(response.body.data))
    if case .number(let text)? = body?["retry_after_ms"], let milliseconds = Double(text) {
      return milliseconds / 1000
    }
    if case .number(let text)? = body?["retry_after"] { return Double(text) }
    return nil
  }

  /// True if a page for people came in place of a service's answer, such as that of a login. A receiver of the user's
  /// own may answer with anything.
  private func isWebPage(_ response: HTTPResponse) -> Bool {
    guard service != .json else { return false }
    let text = String(decoding: Array(response.body.data.prefix(200)), as: UTF8.self)
      .trimmed.lowercased()
    return text.hasPrefix("<!doctype html") || text.hasPrefix("<html")
  }

  private func refusal(_ response: HTTPResponse) -> String {
    if (300..<400).contains(response.status) {
      return "the server redirected (\(response.status)); redirects are not followed"
    }
    let text = String(decoding: Array(response.body.data.prefix(2000)), as: UTF8.self)
    let words = ControlCodes.strippedToLine(text).trimmed
    let isMarkup = words.hasPrefix("<")
    let what = "\(response.status >= 500 ? "the server failed" : "refused") (\(response.status))"
    return shown(words.isEmpty || isMarkup ? what : "\(what): \(words.prefix(120))")
  }

  private func shown(_ text: String) -> String {
    // The longest first, as one may be a part of another.
    secrets.filter { $0.count > 3 }.sorted { $0.count > $1.count }
      .reduce(text) { $0.replacing($1, with: "***") }
  }
}
