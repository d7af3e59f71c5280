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
  // libcurl copies none of these.
  private var lines = HeaderList()
  private var overrides = HeaderList()
  private var target = ParsedTarget()
  // The plain request that the handle is set up for; nil if it is set up for anything else.
  private var prepared: PlainRequest?

  private(set) var ticket: Ticket?
  private(set) var hop: Hop?
  private var retries = 0
  private var began = Moment.zero
  private var hopBegan = Moment.zero
  private var lastActivity = Moment.zero
  private var bytesAtLastCheck = 0

  // The connection.
  private(set) var connection = HopConnection()
  /// The number of times that libcurl sent a hop again, as its connection was dead.
  private(set) var resends = 0
  /// True if it was sent again without an expectation that the server did not meet.
  private(set) var hasDroppedExpectation = false
  // True if the hop is begun again, as it met stray bytes.
  private var isBegunAgain = false

  // The request's body, if it is not in memory.
  private var source: UploadSource?
  private var isWaitingForSource = false
  private var sent: (count: Int, expected: Int?) = (0, nil)

  // The response.
  private var block = HeaderBlock()
  private var body = BodyBuffer()
  private var file: BodyFile?
  private var decoder: ContentDecoder?
  private var hasDecoder = false
  // The bytes of a piece that were decoded before it had to wait: libcurl passes the piece again.
  private var decoded = 0
  /// True if a piece waits for its turn to be decoded further.
  private(set) var isDecoding = false
  // Where the response leads: its body does not matter any more.
  private var next: NextHop?
  // The part of the file that an earlier attempt left, if the rest is requested.
  private var remainder: PartialFile.Rest?
  private var received = 0
  private var isPaused = false
  private var meter = ProgressMeter(threshold: nil)
  /// The error of a callback, which libcurl cannot report.
  private(set) var failure: HTTPError?

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
  }

  deinit {
    if settings.cookies != nil { easy.leaveShare() }
  }

  /// Prepares a request's first hop, or one in another lane.
  func begin(_ ticket: Ticket, _ leg: Leg) throws(HTTPError) {
    self.ticket = ticket
    retries = leg.retries
    (resends, hasDroppedExpectation) = (0, false)
    began = clock.now + (.zero - leg.elapsed)
    meter = ProgressMeter(threshold: ticket.progressThreshold)
    try begin(leg.hop ?? ticket.hop)
  }

  /// The time since the attempt began, not counting the time in other lanes' queues.
  var elapsed: Duration { clock.now - began }

  /// Prepares another hop of the same request, or again the same one, of which nothing was sent.
  func begin(_ hop: Hop, isAgain: Bool = false) throws(HTTPError) {
    self.hop = hop
    isBegunAgain = isAgain
    (hopBegan, lastActivity, bytesAtLastCheck) = (clock.now, clock.now, 0)
    connection = HopConnection()
    if !isAgain { source = nil }
    (isWaitingForSource, sent) = (false, (0, nil))
    block.clear()
    body.clear()
    (file, decoder, hasDecoder, remainder) = (nil, nil, false, nil)
    (received, isPaused, failure) = (0, false, nil)
    (decoded, isDecoding, next) = (0, false, nil)
    try setUpHandle(for: hop)
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
    (ticket, hop, next, failure, file, decoder) = (nil, nil, nil, nil, nil, nil)
    source = nil
    body = BodyBuffer()
  }

  /// Continues after a pause; throws if the data that arrived in the meantime was refused.
  func resume() throws(HTTPError) {
    guard isPaused || isWaitingForSource || isDecoding else { return }
    (isPaused, isWaitingForSource, isDecoding) = (false, false, false)
    lastActivity = clock.now
    let code = easy.resume()
    if let failure { throw failure }
    guard code == CURLE_OK else { throw error(code) }
  }

  // MARK: - Setting up the handle

  private func setUpHandle(for hop: Hop) throws(HTTPError) {
    let plain = isBegunAgain ? nil : PlainRequest(hop, of: ticket)
    if plain == nil || plain != prepared {
      prepared = nil
      easy.reset()
      try setClientOptions()
      try setRequestOptions(for: hop)
      if isBegunAgain { try easy.set(CURLOPT_FRESH_CONNECT, 1) }
      prepared = plain
    }
    easy.clearErrorText()
    // A proxy that opens no tunnel needs the whole URL. An empty setting means no proxy.
    let isDirect = hop.address.isSecure || settings.proxy == ""
    try target.set(hop.address, isDirect: isDirect, on: easy)
  }

  private func setClientOptions() throws(HTTPError) {
    overrides = HeaderList()
    for override in settings.nameOverrides { try overrides.append(override.line) }
    try easy.apply(settings, overrides: overrides)
    let user = unsafe Unmanaged.passUnretained(self).toOpaque()
    try unsafe easy.set(CURLOPT_PRIVATE, pointer: user)
    try unsafe easy.set(CURLOPT_WRITEDATA, pointer: user)
    try unsafe easy.set(CURLOPT_HEADERDATA, pointer: user)
    try unsafe easy.setCallbacks(write: receiveBody, header: receiveHeaderLine)
    try unsafe easy.setSendingCallback(allowSending, user: user)
    let sockets = unsafe Unmanaged.passUnretained(sockets).toOpaque()
    try unsafe easy.setSocketCallbacks(
      open: openSocket, of: user, close: closeSocket, of: sockets)
  }

  /// Sets everything except the address.
  private func setRequestOptions(for hop: Hop) throws(HTTPError) {
    // A second request to a host waits for the first one's connection, to share it.
    if hop.address.isSecure { try easy.set(CURLOPT_PIPEWAIT, 1) }
    try easy.setBuffer(mayUseHTTP2 && CurlGlobal.losesEndsOfStreams ? 256 << 10 : 128 << 10)
    if settings.httpVersion == .http2, !hop.address.isSecure {
      try easy.set(CurlGlobal.reusesPlainHTTP2 ? CURLOPT_PIPEWAIT : CURLOPT_FRESH_CONNECT, 1)
      if !CurlGlobal.reusesPlainHTTP2 { try easy.set(CURLOPT_FORBID_REUSE, 1) }
    }
    if let cookies = settings.cookies {
      if hop.headers["Cookie"] == nil { try cookies.attach(to: easy) } else { easy.leaveShare() }
    }
    let connect = ticket?.request.timeouts.connect
    let milliseconds = connect.map { max(1, $0.wholeNanoseconds / 1_000_000) } ?? .max
    try easy.set(CURLOPT_CONNECTTIMEOUT_MS, Int(min(milliseconds, Int64(Int32.max))))
    lines = HeaderList()
    let isResuming = resumedFile(of: hop) != nil
    for field in hop.headers.fields
    where !isResuming || !HTTPHeaders.areSame(field.name, "Accept-Encoding") {
      try lines.append(field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")
    }
    if hop.redirects == 0 {
      for field in hop.cacheFields.fields { try lines.append("\(field.name): \(field.value)") }
    }
    try setClientFields(for: hop)
    try requestRemainder(of: hop)
    if let upload = hop.upload {
      try setUpload(upload, of: hop)
    } else {
      try setMethodAndBody(of: hop)
    }
    try easy.set(CURLOPT_HTTPHEADER, lines)
  }

  private func setMethodAndBody(of hop: Hop) throws(HTTPError) {
    if !isBegunAgain { traffic.sent += hop.body?.count ?? 0 }
    if meter.threshold != nil, hop.body != nil { try reportSending() }
    switch (hop.method, hop.body) {
    case (.get, nil): try easy.set(CURLOPT_HTTPGET, 1)
    case (.head, nil): try easy.set(CURLOPT_NOBODY, 1)
    case (.post, _), (.put, _), (.patch, _), (_, _?):
      try easy.set(CURLOPT_POST, 1)
      try easy.setBody(hop.body ?? [])
      if hop.method != .post { try easy.set(CURLOPT_CUSTOMREQUEST, hop.method.rawValue) }
      // What libcurl would add on its own: a form's type, and `Expect: 100-continue`.
      if hop.headers["Content-Type"] == nil { try lines.append("Content-Type:") }
      if hop.headers["Expect"] == nil { try lines.append("Expect:") }
    case (_, nil):
      try easy.set(CURLOPT_CUSTOMREQUEST, hop.method.rawValue)
    }
  }

  /// Sets up a body that is read while it is sent.
  private func setUpload(_ upload: UploadBody, of hop: Hop) throws(HTTPError) {
    guard let id = ticket?.id else { return }
    // What has not been sent over another connection is not made anew.
    if !isBegunAgain { source = try UploadSource(upload) { [wake] in wake(id) } }
    try easy.set(CURLOPT_UPLOAD, 1)
    if hop.method != .put { try easy.set(CURLOPT_CUSTOMREQUEST, hop.method.rawValue) }
    if let length = source?.length { try easy.setOffset(CURLOPT_INFILESIZE_LARGE, length) }
    let user = unsafe Unmanaged.passUnretained(self).toOpaque()
    try unsafe easy.set(CURLOPT_READDATA, pointer: user)
    try unsafe easy.set(CURLOPT_SEEKDATA, pointer: user)
    try unsafe easy.setBodyCallbacks(read: sendBody, seek: seekBody)
    if hop.headers["Expect"] == nil { try lines.append("Expect:") }
    if meter.threshold != nil { try reportSending() }
  }

  private func reportSending() throws(HTTPError) {
    try easy.set(CURLOPT_NOPROGRESS, 0)
    let user = unsafe Unmanaged.passUnretained(self).toOpaque()
    try unsafe easy.set(CURLOPT_XFERINFODATA, pointer: user)
    try unsafe easy.setProgressCallback(noteProgress)
  }

  /// Adds the client's own fields: `User-Agent` and `Accept-Encoding`.
  ///
  /// Not with libcurl's options for them if that can be avoided: it builds such lines again for each
  /// request, byte by byte.
  private func setClientFields(for hop: Hop) throws(HTTPError) {
    if hop.headers["User-Agent"] == nil, let agent = settings.userAgent {
      if hop.address.isSecure {
        // This option also applies to a request to a proxy.
        try easy.set(CURLOPT_USERAGENT, agent)
      } else {
        try lines.append("User-Agent: \(agent)")
      }
    }
    let requested = hop.headers["Accept-Encoding"]
    let isResuming = resumedFile(of: hop) != nil
    if requested == nil || isResuming {
      // Parts of a compressed body could not be put together.
      let isPart = isResuming || hop.headers["Range"] != nil
      try lines.append("Accept-Encoding: \(isPart ? "identity" : ContentDecoder.codings)")
    }
  }

  /// Requests only what an earlier attempt did not receive.
  private func requestRemainder(of hop: Hop) throws(HTTPError) {
    guard let path = resumedFile(of: hop) else { return }
    remainder = PartialFile.rest(of: path, from: ticket?.hop.address.text ?? "")
    guard let remainder else { return }
    try lines.append("Range: bytes=\(remainder.offset)-")
    try lines.append("If-Range: \(remainder.validator)")
  }

  /// The file that may be continued from an earlier attempt.
  private func resumedFile(of hop: Hop) -> String? {
    guard case .file(let path, resumes: true)? = ticket?.request.destination, hop.method == .get
    else { return nil }
    return path
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
      lastActivity = clock.now
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

  /// Takes a header line; false ends the transfer with `failure`.
  func receiveHeader(_ line: Span<UInt8>) -> Bool {
    lastActivity = clock.now
    let isEnd = block.append(line)
    if let bound = ticket?.request.bounds.headerBytes, block.count > bound {
      failure = HTTPError(.tooLarge, reason: "headers larger than \(Wording.bytes(bound))")
      return false
    }
    if let fault = block.fault {
      failure = HTTPError(.brokenAnswer, reason: fault.rawValue)
      return false
    }
    guard isEnd else { return true }
    if mayUseHTTP2, let version = easy.protocolVersion, version.major < 2 {
      connection.noteHTTP1(among: sockets)
    }
    do throws(HTTPError) { next = try hopAfterHead() } catch {
      failure = error
      return false
    }
    if let next { return next.waitsForBody }
    if let ticket, hasSuccessStatus, !ticket.staysInMemory {
      responseBegan(ticket.id)
    }
    stream?.begin(response(with: HTTPBody()))
    return true
  }

  /// True if the head of a final response has arrived completely.
  ///
  /// libcurl takes the end of the connection for the end of a head, too.
  var hasWholeHead: Bool { block.isFinal }

  enum Intake { case taken, paused, refused }

  /// Takes body bytes; if they are refused, the transfer ends with `failure`.
  @unsafe
  func receive(_ bytes: UnsafeRawBufferPointer) -> Intake {
    lastActivity = clock.now
    guard failure == nil else { return .refused }
    if next != nil { return discard(bytes.count) }
    // Before anything is decoded, because a decoder cannot go back.
    if let stream, stream.isFull() {
      isPaused = true
      return .paused
    }
    do throws(HTTPError) {
      if !hasDecoder {
        hasDecoder = true
        decoder = try makeDecoder()
      }
      if let decoder {
        guard try unsafe decode(bytes, with: decoder) else { return .paused }
      } else {
        try unsafe take(bytes)
      }
    } catch {
      failure = error
      return .refused
    }
    if meter.threshold != nil { reportProgress() }
    return .taken
  }

  private func makeDecoder() throws(HTTPError) -> ContentDecoder? {
    guard block.namesEncoding, let bound = bodyBound else { return nil }
    return try ContentDecoder(block.fields, bound: bound)
  }

  /// Decodes a slice of a piece; false if the rest has to wait for its turn, or for a reader.
  @unsafe
  private func decode(
    _ bytes: UnsafeRawBufferPointer, with decoder: ContentDecoder
  ) throws(HTTPError) -> Bool {
    let skipped = min(decoded, bytes.count)
    let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[skipped...])
    let share = turns.share
    var budget = share
    let progress = try unsafe decoder.decode(rest, budget: &budget) { piece throws(HTTPError) in
      try unsafe self.take(piece)
      return self.stream?.isFull() != true
    }
    turns.use(share - budget)
    guard !progress.isDone else {
      decoded -= skipped
      return true
    }
    decoded = skipped + progress.consumed
    if let stream, stream.isFull() {
      isPaused = true
    } else if let id = ticket?.id, !isDecoding {
      isDecoding = true
      turns.wait(id)
    }
    return false
  }

  /// Ignores bytes of a body that does not matter: a few, so that the connection can be reused.
  private func discard(_ count: Int) -> Intake {
    next?.discarded += count
    return next?.waitsForBody == true ? .taken : .refused
  }

  /// Takes decoded bytes of the body.
  @unsafe
  private func take(_ bytes: UnsafeRawBufferPointer) throws(HTTPError) {
    guard let bound = bodyBound else { return }
    guard received + bytes.count <= bound else {
      throw HTTPError(.tooLarge, reason: "body larger than \(Wording.bytes(bound))")
    }
    if let stream {
      unsafe stream.add(bytes)
    } else if let file = try openFile() {
      try unsafe file.write(bytes)
    } else {
      if body.count == 0 {
        // The stated length is trusted for 1 MiB only; bytes that did arrive are always trusted.
        let stated = max(bytes.count, easy.offset(CURLINFO_CONTENT_LENGTH_DOWNLOAD_T))
        body.reserve(min(stated, bound, bytes.count + 1 << 20))
      }
      guard unsafe body.append(bytes) else {
        throw HTTPError(.tooLarge, reason: "out of memory for the body")
      }
    }
    received += bytes.count
    traffic.received += bytes.count
  }

  /// The maximum number of body bytes; nil without a request.
  private var bodyBound: Int? {
    guard let ticket else { return nil }
    // The body of any other status always stays in memory.
    let isInMemory = ticket.staysInMemory || !hasSuccessStatus
    return ticket.request.bounds.bodyBytes(inMemory: isInMemory)
  }

  private var status: Int { easy.long(CURLINFO_RESPONSE_CODE) }
  private var hasSuccessStatus: Bool { (200..<300).contains(status) }

  /// The stream that the body goes to, if any.
  private var stream: BodyStream? {
    guard case .stream(let stream)? = ticket?.delivery, hasSuccessStatus else { return nil }
    return stream
  }

  /// The file that the body goes to, if any.
  private func openFile() throws(HTTPError) -> BodyFile? {
    if let file { return file }
    guard let ticket, case .file(let path, let resumes) = ticket.request.destination,
      hasSuccessStatus, status != 204, hop?.method != .head
    else { return nil }
    if case .stream = ticket.delivery { return nil }
    let opened = try BodyFile(
      path, resumes: resumes, head: response(with: HTTPBody()), from: ticket.hop.address.text,
      requested: remainder)
    file = opened
    return opened
  }

  /// Returns the file with the body, even an empty one; nil if the body is in memory. Throws if the
  /// body is incomplete.
  func finishedFile() throws(HTTPError) -> BodyFile? {
    if let decoder {
      try decoder.finish()
    } else if !hasDecoder, hop?.method != .head, status != 204, status != 304 {
      // An empty body of an encoding that nobody knows may be a cut one; so is one of a known encoding
      // that only the end of its connection ends.
      if try makeDecoder() != nil, easy.endsWithConnection(block.fields) {
        throw HTTPError(.brokenAnswer, reason: "the compressed body is incomplete")
      }
    }
    try checkHiddenLength()
    try source?.checkEnd()
    let file = try openFile()
    try file?.checkEnd()
    return file
  }

  /// Throws if the body is shorter than a length that libcurl did not see.
  private func checkHiddenLength() throws(HTTPError) {
    let count = easy.offset(CURLINFO_SIZE_DOWNLOAD_T)
    guard let length = block.hiddenLength, count < length, hop?.method != .head, status != 304
    else { return }
    throw HTTPError(
      .brokenAnswer, reason: "the response ended early, after \(Wording.exactBytes(count))")
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

  /// The longest time between two checks of a transfer that is still connecting.
  private static let longestConnectCheck = Duration.milliseconds(100)

  /// The moment of the first check after the start.
  var firstCheck: Moment {
    guard let ticket else { return .distantFuture }
    let timeouts = ticket.request.timeouts
    let check = hopBegan + min(timeouts.idle ?? .seconds(1), Self.longestConnectCheck)
    let total = timeouts.total(inMemory: ticket.staysInMemory)
    return min(check, total.map { began + $0 } ?? .distantFuture)
  }

  /// The moment at which to check the transfer again, or the timeout that ends it.
  func deadline() -> Result<Moment, HTTPError> {
    guard let ticket else { return .success(.distantFuture) }
    let timeouts = ticket.request.timeouts
    let now = clock.now
    var next = Moment.distantFuture
    if let total = timeouts.total(inMemory: ticket.staysInMemory) {
      next = began + total
      if next <= now {
        let time = Wording.time(total)
        let reason =
          silentProxy.map { "\($0) has no connection to the server after \(time)" }
          ?? "not finished after \(time)"
        return .failure(HTTPError(.totalTimeout, reason: reason))
      }
    }
    if let end = self.next?.end { next = min(next, end) }
    // During a pause it is not the server that we wait for.
    guard !isPaused, !isDecoding, let idle = timeouts.idle else { return .success(next) }
    // Bytes that reach no callback count, too: those sent, and those that a decoder still holds.
    let bytes = easy.offset(CURLINFO_SIZE_UPLOAD_T) + easy.offset(CURLINFO_SIZE_DOWNLOAD_T)
    if bytes != bytesAtLastCheck {
      bytesAtLastCheck = bytes
      lastActivity = now
    }
    let connected = easy.offset(CURLINFO_PRETRANSFER_TIME_T)
    guard connected > 0 || easy.long(CURLINFO_REQUEST_SIZE) > 0 else {
      // Still connecting, which has its own timeout.
      return .success(min(next, now + min(idle, Self.longestConnectCheck)))
    }
    let end = max(lastActivity, hopBegan + .microseconds(connected)) + idle
    guard end <= now else { return .success(min(next, end)) }
    return .failure(HTTPError(.idleTimeout, reason: reason(ofSilence: Wording.time(idle))))
  }

  private func reason(ofSilence wait: String) -> String {
    if let proxy = silentProxy { return "\(proxy) did not reply for \(wait)" }
    if isWaitingForSource { return "the body stream produced nothing for \(wait)" }
    if block.count == 0 { return "no response for \(wait)" }
    return "no more data for \(wait) after \(Wording.exactBytes(received))"
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
      let next = try hop.redirected(by: status, block.fields, of: request)
    else { return nil }
    let length = hop.method == .head ? 0 : easy.offset(CURLINFO_CONTENT_LENGTH_DOWNLOAD_T)
    let decided = NextHop(hop: next, length: length, now: clock.now)
    clock.alarm = min(clock.alarm, decided.end)
    return decided
  }

  /// The response; the body moves into it.
  func response() -> HTTPResponse {
    let (storage, count) = unsafe body.giveUp()
    return unsafe response(with: HTTPBody(adopting: storage, count: count))
  }

  private func response(with body: consuming HTTPBody) -> HTTPResponse {
    HTTPResponse(
      status: status, headers: block.fields, body: body, url: hop?.address.text ?? "",
      timings: timings(), version: easy.protocolVersion, endpoint: easy.endpoint,
      trailers: block.trailers)
  }

  /// The error that one of libcurl's codes means for this transfer.
  func error(_ code: CURLcode) -> HTTPError {
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
        answered: block.count > 0, received: received, systemError: easy.long(CURLINFO_OS_ERRNO),
        verification: easy.long(CURLINFO_SSL_VERIFYRESULT),
        isInHeaders: isConnected && !block.isFinal, connectTimeout: connectTimeout,
        headerBytes: ticket?.request.bounds.headerBytes, words: easy.errorText))
  }

  /// The timings of this attempt.
  func timings() -> Timings {
    var timings = easy.timings(after: hopBegan - began)
    timings.bytesDecoded = received
    timings.reusedConnection = isConnectionReused
    return timings
  }
}
