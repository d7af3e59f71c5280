internal import CCurl

/// One request on its way through libcurl, hop by hop; used only on the worker thread.
///
/// It is reused for later requests, because creating an easy handle costs more than resetting one.
final class Transfer {
  let easy = EasyHandle()
  private let clock: LoopClock
  private let traffic: LoopTraffic
  private let turns: DecodingTurns
  private let sockets: OpenSockets
  private let settings: ClientConfiguration
  private let responseBegan: (RequestID) -> Void
  private let wake: @Sendable (RequestID) -> Void
  private var setup: HandleSetup

  // The attempt.
  private(set) var ticket: Ticket?
  private var retries = 0
  private var timer = TransferTimer()
  private var meter = ProgressMeter(threshold: nil)
  /// The number of times that libcurl sent a hop again, as its connection was dead.
  private(set) var resends = 0
  /// True if it was sent again without an expectation that the server did not meet.
  private(set) var hasDroppedExpectation = false

  // The hop.
  private(set) var hop: Hop?
  private(set) var connection = HopConnection()
  /// The error of a callback, which libcurl cannot report.
  private(set) var failure: HTTPError?

  // The request's body, if it is not in memory.
  private var source: UploadSource?
  private var isWaitingForSource = false
  private var sent: (count: Int, expected: Int?) = (0, nil)

  // The response.
  private var receiver: ResponseReceiver
  /// The fate of the last piece of the body: libcurl keeps one that was not taken until `resume`.
  private var intake = ResponseReceiver.Intake.taken
  // Where the response leads: its body does not matter any more.
  private var next: NextHop?
  // The part of a file that an earlier attempt left, if the rest is requested.
  private var remainder: PartialFile.Rest?

  /// - Parameters:
  ///   - responseBegan: Called when a successful response has begun whose body goes to a stream or a file.
  ///   - wake: Called on any thread when a transfer that had nothing to send can continue.
  init(
    clock: LoopClock, traffic: LoopTraffic, turns: DecodingTurns, sockets: OpenSockets,
    settings: ClientConfiguration, responseBegan: @escaping (RequestID) -> Void,
    wake: @escaping @Sendable (RequestID) -> Void
  ) {
    (self.clock, self.responseBegan, self.wake) = (clock, responseBegan, wake)
    (self.traffic, self.turns, self.sockets, self.settings) = (traffic, turns, sockets, settings)
    setup = HandleSetup(settings, sockets)
    receiver = ResponseReceiver(traffic: traffic, turns: turns)
  }

  deinit {
    if settings.cookies != nil { easy.leaveShare() }
  }

  /// Prepares a request's first hop, or one in another lane.
  func begin(_ ticket: Ticket, _ leg: Leg) throws(HTTPError) {
    self.ticket = ticket
    retries = leg.retries
    (resends, hasDroppedExpectation) = (0, false)
    timer.beginAttempt(at: clock.now, elapsed: leg.elapsed)
    meter = ProgressMeter(threshold: ticket.progressThreshold)
    try begin(leg.hop ?? ticket.hop)
  }

  /// The time since the attempt began, not counting the time in other lanes' queues.
  var elapsed: Duration { timer.elapsed(at: clock.now) }

  /// Prepares another hop of the same request, or again the same one, of which nothing was sent.
  func begin(_ hop: Hop, isAgain: Bool = false) throws(HTTPError) {
    guard let ticket else { return }
    self.hop = hop
    timer.beginHop(at: clock.now)
    connection = HopConnection()
    receiver.clear()
    (next, failure, intake) = (nil, nil, .taken)
    (isWaitingForSource, sent) = (false, (0, nil))
    remainder = ticket.resumedFile(by: hop).flatMap { path in
      PartialFile.rest(of: path, from: ticket.hop.address.text)
    }
    // What has not been sent over another connection is not produced again.
    if !isAgain {
      source = nil
      if let upload = hop.upload {
        source = try UploadSource(upload) { [wake, id = ticket.id] in wake(id) }
      }
      traffic.sent += hop.body?.count ?? 0
    }
    let user = unsafe Unmanaged.passUnretained(self).toOpaque()
    try unsafe setup.apply(
      to: easy, user: user, for: hop, of: ticket, isAgain: isAgain, remainder: remainder,
      uploadLength: source?.length)
  }

  private var mayUseHTTP2: Bool {
    settings.httpVersion.mayBeHTTP2(isSecure: hop?.address.isSecure == true)
  }

  /// False if the handle may keep the buffer of an HTTP/2 transfer, whose size cannot be set any more.
  var isReusable: Bool {
    guard CurlGlobal.losesEndsOfStreams, mayUseHTTP2 else { return true }
    return easy.protocolVersion.map { $0.major < 2 } ?? false
  }

  /// Releases the request and what belongs to it.
  func prepareForReuse() {
    (ticket, hop, next, failure) = (nil, nil, nil, nil)
    source = nil
    receiver.prepareForReuse()
  }

  /// Continues after a pause; throws if the data that arrived in the meantime was refused.
  func resume() throws(HTTPError) {
    guard intake != .taken || isWaitingForSource else { return }
    (intake, isWaitingForSource) = (.taken, false)
    timer.noteActivity(at: clock.now)
    let code = easy.resume()
    if let failure { throw failure }
    guard code == CURLE_OK else { throw error(code) }
  }

  // MARK: - The connection

  /// Opens a socket for a connection.
  @unsafe
  func open(_ address: UnsafeMutablePointer<curl_sockaddr>) -> curl_socket_t {
    unsafe connection.open(address, among: sockets)
  }

  /// True if the request may be sent over the current connection.
  ///
  /// libcurl sends it again on its own if the connection that it reused turns out to be dead. Nobody
  /// knows what the server did before it closed that one.
  func maySend(over place: OpenSockets.Connection?) -> Bool {
    let finding = connection.check(place, among: sockets, isHTTP1: !mayUseHTTP2)
    guard finding == .replaced else { return finding == .sound }
    if let hop, let policy = ticket?.request.retries, policy.methods.contains(hop.method),
      policy.faults.contains(.connection), retries + resends < policy.limit
    {
      resends += 1
      return true
    }
    // A server may also refuse a stream (RFC 9113, section 8.7), for which libcurl has no code.
    let hasServerClosed = !mayUseHTTP2 || connection.wasReused && sockets.wasLastEndedByPeer
    failure = HTTPError(
      .connection,
      reason: hasServerClosed
        ? "the server closed the connection without a response" : "the server refused the request")
    return false
  }

  /// Tells the observer that the request has a connection.
  func noteConnection() {
    guard let ticket, let observer = settings.observer else { return }
    observer.connected(
      ObservedRequest(ticket), to: easy.endpoint?.description ?? "",
      isReused: connectionsOpened == 0)
  }

  /// The number of connections that libcurl opened for this hop.
  var connectionsOpened: Int { easy.long(CURLINFO_NUM_CONNECTS) }

  var isConnected: Bool { easy.offset(CURLINFO_PRETRANSFER_TIME_T) > 0 }

  /// True if the hop used a connection that was already open.
  var isConnectionReused: Bool { connectionsOpened == 0 && isConnected }

  // MARK: - Sending

  /// Gives libcurl the next bytes of the body.
  @unsafe
  func send(into buffer: UnsafeMutableRawBufferPointer) -> UploadPump.Supply {
    guard let supply = unsafe source?.read(into: buffer) else { return .end }
    switch supply {
    case .bytes(let count):
      timer.noteActivity(at: clock.now)
      traffic.sent += count
    case .later: isWaitingForSource = true
    case .end: break
    case .failed(let error): failure = error
    }
    return supply
  }

  /// Goes back to the start of the body, because libcurl sends it over another connection.
  func rewind() -> Bool {
    if source?.rewind() == true { return true }
    failure = HTTPError(.connection, reason: "the connection was lost while the body was sent")
    return false
  }

  func noteSent(_ count: Int, of expected: Int?) {
    guard count != sent.count else { return }
    sent = (count, expected)
    reportProgress()
  }

  // MARK: - Receiving

  /// Takes a header line; false ends the transfer, with `failure` unless the response leads on.
  func receiveHeader(_ line: Span<UInt8>) -> Bool {
    timer.noteActivity(at: clock.now)
    do throws(HTTPError) {
      let bound = ticket?.request.bounds.headerBytes
      return try receiver.addHeader(line, bound: bound) ? endHead() : true
    } catch {
      failure = error
      return false
    }
  }

  /// Decides at the end of the head what becomes of the body; false if it is not worth receiving.
  private func endHead() throws(HTTPError) -> Bool {
    if mayUseHTTP2, let version = easy.protocolVersion, version.major < 2 {
      connection.noteHTTP1(among: sockets)
    }
    if status == 101 {
      throw HTTPError(.brokenAnswer, reason: "the server switched to a protocol nobody asked for")
    }
    next = try hopAfterHead()
    if let next { return next.waitsForBody }
    guard let ticket else { return true }
    receiver.beginBody(of: ticket, hop?.method, status: status, remainder: remainder)
    if hasSuccessStatus, !ticket.staysInMemory {
      responseBegan(ticket.id)
    }
    receiver.stream?.begin(response(with: HTTPBody()))
    return true
  }

  /// True if the head of a final response has arrived completely.
  ///
  /// libcurl takes the end of the connection for the end of a head, too.
  var hasWholeHead: Bool { receiver.head.isFinal }

  /// True if a piece waits for its turn to be decoded further.
  var isDecoding: Bool { intake == .waitsForTurn }

  enum Intake { case taken, paused, refused }

  /// Takes body bytes; if they are refused, the transfer ends with `failure`.
  @unsafe
  func receive(_ bytes: UnsafeRawBufferPointer) -> Intake {
    timer.noteActivity(at: clock.now)
    guard failure == nil else { return .refused }
    if next != nil { return discard(bytes.count) }
    do throws(HTTPError) { intake = try unsafe receiver.receive(bytes, from: easy) } catch {
      failure = error
      return .refused
    }
    switch intake {
    case .taken:
      if meter.threshold != nil { reportProgress() }
      return .taken
    case .streamIsFull: return .paused
    case .waitsForTurn:
      if let id = ticket?.id { turns.wait(id) }
      return .paused
    }
  }

  /// Ignores bytes of a body that does not matter: a few, so that the connection can be reused.
  private func discard(_ count: Int) -> Intake {
    next?.discarded += count
    return next?.waitsForBody == true ? .taken : .refused
  }

  private var status: Int { easy.long(CURLINFO_RESPONSE_CODE) }
  private var hasSuccessStatus: Bool { (200..<300).contains(status) }

  /// Returns the file with the body, even an empty one; nil if the body is in memory. Throws if the
  /// body is incomplete.
  func finishedFile() throws(HTTPError) -> BodyFile? {
    try receiver.checkEnd(easy)
    try source?.checkEnd()
    let file = try receiver.openFile()
    try file?.checkEnd()
    return file
  }

  private func reportProgress() {
    let expected = easy.offset(CURLINFO_CONTENT_LENGTH_DOWNLOAD_T)
    let received = easy.offset(CURLINFO_SIZE_DOWNLOAD_T)
    // The part of a file that is already there belongs to the whole.
    let present = status == 206 ? remainder?.offset ?? 0 : 0
    let progress = TransferProgress(
      received: present + received, expected: TransferProgress.whole(of: present, expected),
      sent: sent.count, expectedToSend: sent.expected)
    if let step = meter.step(progress) { ticket?.report(step) }
  }

  // MARK: - Timeouts

  /// The moment of the first check after the start.
  var firstCheck: Moment {
    guard let ticket else { return .distantFuture }
    let timeouts = ticket.request.timeouts
    let total = timeouts.total(inMemory: ticket.staysInMemory)
    return min(timer.firstCheck(timeouts.idle), total.map(timer.end) ?? .distantFuture)
  }

  /// The moment at which to check the transfer again, or the timeout that ends it.
  func deadline() -> Result<Moment, HTTPError> {
    guard let ticket else { return .success(.distantFuture) }
    let timeouts = ticket.request.timeouts
    let now = clock.now
    var next = Moment.distantFuture
    if let total = timeouts.total(inMemory: ticket.staysInMemory) {
      next = timer.end(of: total)
      if next <= now {
        let time = Wording.time(total)
        let reason =
          silentProxy.map { "\($0) could not reach the server after \(time)" }
          ?? "not finished after \(time)"
        return .failure(HTTPError(.totalTimeout, reason: reason))
      }
    }
    if let end = self.next?.end { next = min(next, end) }
    // During a pause it is not the server that we wait for.
    guard intake == .taken, let idle = timeouts.idle else { return .success(next) }
    let reading = TransferTimer.Reading(
      bytes: easy.offset(CURLINFO_SIZE_UPLOAD_T) + easy.offset(CURLINFO_SIZE_DOWNLOAD_T),
      connected: easy.offset(CURLINFO_PRETRANSFER_TIME_T),
      isSending: easy.long(CURLINFO_REQUEST_SIZE) > 0)
    guard let check = timer.nextCheck(idle, reading, at: now) else {
      return .failure(HTTPError(.idleTimeout, reason: reason(ofSilence: Wording.time(idle))))
    }
    return .success(min(next, check))
  }

  private func reason(ofSilence wait: String) -> String {
    if let proxy = silentProxy { return "\(proxy) did not reply for \(wait)" }
    if isWaitingForSource { return "the body stream produced nothing for \(wait)" }
    if receiver.head.count == 0 { return "no response for \(wait)" }
    return "no more data for \(wait) after \(Wording.exactBytes(receiver.received))"
  }

  /// The proxy that has a connection to us, but not yet to the server.
  private var silentProxy: String? {
    guard !isConnected, easy.long(CURLINFO_HTTP_CONNECTCODE) == 0,
      sockets.hasReached(connection.openedSocket),
      let hop, let place = ProxyChoice(for: hop.address, settings)?.place
    else { return nil }
    return "the proxy \(place)"
  }

  /// True if the body of a redirect has had its time.
  var isRedirectDue: Bool { next.map { $0.end <= clock.now } ?? false }

  // MARK: - The result

  /// The hop that the response leads to, or nil if it is the last response.
  func nextHop() -> Hop? {
    if let next { return next.hop }
    guard status == 416, remainder != nil, let hop,
      case .file(let path, _)? = ticket?.request.destination
    else { return nil }
    // The part here is not the beginning of the server's file: download the whole.
    return PartialFile.forget(path) ? hop : nil
  }

  /// True if the response leads to another hop, so that no fault of its body matters.
  var leadsOn: Bool { next != nil }

  /// Decides at the end of a head whether it leads to another hop.
  private func hopAfterHead() throws(HTTPError) -> NextHop? {
    let status = status
    guard status >= 300, let hop else { return nil }
    if status == 417, let plain = hop.withoutExpectation {
      // RFC 9110, section 10.1.1.
      hasDroppedExpectation = true
      return NextHop(hop: plain, length: .max, now: clock.now)
    }
    guard let request = ticket?.request,
      let next = try hop.redirected(by: status, receiver.head.fields, of: request)
    else { return nil }
    let length = hop.method == .head ? 0 : easy.offset(CURLINFO_CONTENT_LENGTH_DOWNLOAD_T)
    let decided = NextHop(hop: next, length: length, now: clock.now)
    clock.alarm = min(clock.alarm, decided.end)
    return decided
  }

  /// The response; the body moves into it.
  func response() -> HTTPResponse {
    response(with: receiver.takeBody())
  }

  private func response(with body: consuming HTTPBody) -> HTTPResponse {
    HTTPResponse(
      status: status, headers: receiver.head.fields, body: body, url: hop?.address.text ?? "",
      timings: timings(), version: easy.protocolVersion, endpoint: easy.endpoint,
      trailers: receiver.head.trailers)
  }

  /// The error that one of libcurl's codes means for this transfer; after a redirect, with the address that it led to.
  func error(_ code: CURLcode) -> HTTPError {
    var error = fault(code)
    if let hop, hop.redirects > 0 { error.address = hop.address.censored }
    return error
  }

  private func fault(_ code: CURLcode) -> HTTPError {
    if let failure { return failure }
    let connectTimeout = ticket?.request.timeouts.connect
    if let hop, let proxy = ProxyChoice(for: hop.address, settings) {
      let fault = ProxyFault(
        proxy: proxy, openedPort: connection.openedPort,
        hasReachedPeer: sockets.hasReached(connection.openedSocket),
        connectTimeout: connectTimeout)
      if let error = fault.error(code, easy) { return error }
    }
    return TransferFault.error(
      code,
      TransferFault.Circumstances(
        answered: receiver.head.count > 0, received: receiver.received,
        systemError: connection.socketError == 0
          ? easy.long(CURLINFO_OS_ERRNO) : Int(connection.socketError),
        verification: easy.long(CURLINFO_SSL_VERIFYRESULT),
        isInHeaders: isConnected && !receiver.head.isFinal, connectTimeout: connectTimeout,
        headerBytes: ticket?.request.bounds.headerBytes, words: easy.errorText))
  }

  /// The timings of this attempt.
  func timings() -> Timings {
    var timings = easy.timings(after: timer.earlierHops)
    timings.bytesDecoded = receiver.received
    timings.reusedConnection = isConnectionReused
    return timings
  }
}
