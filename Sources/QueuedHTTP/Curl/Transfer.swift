internal import CCurl

/// One request's way through libcurl, hop by hop; used on the worker thread alone.
///
/// It is reused for later requests, since an easy handle is dearer to make than to reset.
final class Transfer {
  let easy = EasyHandle()
  private let clock: LoopClock
  let traffic: LoopTraffic
  let sockets: OpenSockets
  let settings: HTTPClient.Configuration
  var lines = HeaderList()
  var overrides = HeaderList()
  private(set) var ticket: Ticket?
  private(set) var hop: Hop?
  private var attempt = 1
  private var sendings = 0
  /// The port to which libcurl last opened a socket for the hop.
  private(set) var openedPort: Int?
  private var openedSocket: Int32 = -1
  /// How often libcurl sent a hop again, on a fresh connection in place of one that had died.
  private(set) var repetitions = 0
  private var began = Moment.zero
  private var hopBegan = Moment.zero
  private var bytesAtLastLook = 0
  // What the callbacks fill.
  var block = HeaderBlock()
  var body = BodyBuffer()
  var failure: HTTPError?
  var lastActivity = Moment.zero
  private(set) var meter = ProgressMeter(threshold: nil)
  private var received = 0
  private var file: BodyFile?
  private var decoder: ContentDecoder?
  private var hasDecoder = false
  // Whether the body comes decoded, since the request asked for what only libcurl can decode.
  var isDecodedByLibcurl = false
  // What an earlier attempt left in the file's part, and whether the rest of it is asked for.
  var remainder: PartialFile.Rest?
  private(set) var isPaused = false
  // Where the body comes from that is not in memory, and whether it is waited for.
  var source: UploadSource?
  private var isHungry = false
  private var sent: (count: Int, expected: Int?) = (0, nil)
  let wake: @Sendable (RequestID) -> Void
  // What the handle is set for, where that is all that it is set for.
  var written: PlainRequest?

  /// - Parameter wake: Called, on any thread, when a transfer that has nothing to send can go on.
  init(
    clock: LoopClock, traffic: LoopTraffic, sockets: OpenSockets,
    settings: HTTPClient.Configuration,
    wake: @escaping @Sendable (RequestID) -> Void
  ) {
    self.wake = wake
    self.clock = clock
    self.traffic = traffic
    self.sockets = sockets
    self.settings = settings
  }

  deinit {
    if settings.cookies != nil { easy.leaveShare() }
  }

  /// Makes ready for a request's first hop, or for one in another lane.
  func begin(_ ticket: Ticket, _ leg: Leg) throws(HTTPError) {
    self.ticket = ticket
    attempt = leg.attempt
    repetitions = 0
    began = clock.now + (.zero - leg.elapsed)
    meter = ProgressMeter(threshold: ticket.progressThreshold)
    try begin(leg.hop ?? ticket.hop)
  }

  /// The time since the attempt began, without that in the queue of another lane.
  var elapsed: Duration { clock.now - began }

  /// Makes ready for another hop of the same request.
  func begin(_ hop: Hop) throws(HTTPError) {
    self.hop = hop
    block.clear()
    body.clear()
    received = 0
    file = nil
    decoder = nil
    hasDecoder = false
    sendings = 0
    openedPort = nil
    openedSocket = -1
    remainder = nil
    isPaused = false
    source = nil
    isHungry = false
    sent = (0, nil)
    failure = nil
    hopBegan = clock.now
    lastActivity = clock.now
    bytesAtLastLook = 0
    try write(hop)
  }

  /// Lets go of the request, to be used for another.
  func rest() {
    ticket = nil
    hop = nil
    failure = nil
    file = nil
    source = nil
    decoder = nil
    block.clear()
    body = BodyBuffer()
  }

  /// Goes on after a pause; throws where what came meanwhile was refused.
  func resume() throws(HTTPError) {
    guard isPaused || isHungry else { return }
    isPaused = false
    isHungry = false
    lastActivity = clock.now
    let code = easy.resume()
    if let failure { throw failure }
    guard code == CURLE_OK else { throw error(code) }
  }

  /// Opens a socket for a connection.
  @unsafe
  func open(_ address: UnsafeMutablePointer<curl_sockaddr>) -> curl_socket_t {
    // The port comes at the same place in addresses of both versions of IP.
    unsafe withUnsafeBytes(of: &address.pointee.addr.sa_data) { bytes in
      openedPort = unsafe Int(bytes[0]) << 8 | Int(bytes[1])
    }
    openedSocket = unsafe sockets.open(
      address.pointee.family, address.pointee.socktype, address.pointee.protocol)
    return openedSocket
  }

  /// Whether the last of them has reached whom it was opened to.
  var hasReachedOther: Bool { sockets.hasReached(openedSocket) }

  /// Whether the request may leave on the connection that there is.
  ///
  /// libcurl sends it again by itself when an open connection that it took turns out to be dead. What
  /// the server did before it closed that one nobody knows.
  func maySend() -> Bool {
    sendings += 1
    guard sendings > 1 else { return true }
    if let hop, let policy = ticket?.request.retries, policy.methods.contains(hop.method),
      policy.faults.contains(.connection), attempt + repetitions <= policy.limit
    {
      repetitions += 1
      return true
    }
    failure = HTTPError(.connection, reason: "the connection was closed without an answer")
    return false
  }

  /// What became of body bytes.
  enum Intake { case taken, paused, refused }

  /// Takes body bytes in; where they are refused the transfer ends with `failure`.
  @unsafe
  func receive(_ bytes: UnsafeRawBufferPointer) -> Intake {
    lastActivity = clock.now
    guard failure == nil else { return .refused }
    // Before anything is decoded, since a decoder cannot go back.
    if let stream, stream.isFull() {
      isPaused = true
      return .paused
    }
    do throws(HTTPError) {
      if !hasDecoder {
        hasDecoder = true
        decoder =
          isDecodedByLibcurl || !block.namesEncoding ? nil : try ContentDecoder(block.fields)
      }
      if let decoder {
        try unsafe decoder.decode(bytes) { piece throws(HTTPError) in try unsafe self.take(piece) }
      } else {
        try unsafe take(bytes)
      }
    } catch {
      failure = error
      return .refused
    }
    if meter.threshold != nil { tellProgress() }
    return .taken
  }

  /// The most bytes that the body may have; nil without a request.
  private var bodyBound: Int? {
    guard let ticket else { return nil }
    // What was not asked for stays in memory in any case.
    let isInMemory = ticket.staysInMemory || !(200..<300).contains(status)
    return ticket.request.bounds.bodyBytes(inMemory: isInMemory)
  }

  /// Takes in bytes of the body as it is meant.
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
        // The server's word on the length is trusted for 1 MiB only; what really comes, for all of
        // it.
        let stated = max(bytes.count, easy.offset(CURLINFO_CONTENT_LENGTH_DOWNLOAD_T))
        body.reserve(min(stated, bound, bytes.count + 1 << 20))
      }
      guard unsafe body.append(bytes) else {
        throw HTTPError(.tooLarge, reason: "no memory for the body")
      }
    }
    received += bytes.count
    traffic.received += bytes.count
  }

  private var status: Int { easy.long(CURLINFO_RESPONSE_CODE) }

  /// Where the body goes as a stream, if it does.
  private var stream: BodyStream? {
    guard case .stream(let stream)? = ticket?.delivery, (200..<300).contains(status) else {
      return nil
    }
    return stream
  }

  /// The file that the body goes to, if it does.
  private func openFile() throws(HTTPError) -> BodyFile? {
    if let file { return file }
    guard let ticket, case .file(let path, let resumes) = ticket.request.destination,
      (200..<300).contains(status), status != 204, hop?.method != .head
    else { return nil }
    if case .stream = ticket.delivery { return nil }
    let opened = try BodyFile(
      path, resumes: resumes, head: head(), from: ticket.hop.address.text, asked: remainder)
    file = opened
    return opened
  }

  /// Hands over the file with the body, an empty one too; nil where the body is in memory. Throws where
  /// the body is not whole.
  func finishedFile() throws(HTTPError) -> BodyFile? {
    try decoder?.finish()
    let file = try openFile()
    try file?.checkEnd()
    return file
  }

  /// Gives libcurl the next bytes of the body.
  @unsafe
  func send(into buffer: UnsafeMutableRawBufferPointer) -> UploadPump.Supply {
    guard let supply = unsafe source?.read(into: buffer) else { return .end }
    switch supply {
    case .bytes(let count):
      lastActivity = clock.now
      traffic.sent += count
    case .later: isHungry = true
    case .end: break
    case .failed(let error): failure = error
    }
    return supply
  }

  /// Goes back to the start of the body, since libcurl sends it on another connection.
  func rewind() -> Bool {
    if source?.rewind() == true { return true }
    failure = HTTPError(.connection, reason: "the connection was lost while the body was sent")
    return false
  }

  /// Takes note of how far the body has been sent.
  func noteSent(_ count: Int, of expected: Int?) {
    guard count != sent.count else { return }
    sent = (count, expected)
    tellProgress()
  }

  /// Takes a header line in; false ends the transfer with `failure`.
  func receiveHeader(_ line: Span<UInt8>) -> Bool {
    lastActivity = clock.now
    let wasComplete = block.isComplete
    block.append(line)
    if let bound = ticket?.request.bounds.headerBytes, block.count > bound {
      failure = HTTPError(.tooLarge, reason: "headers larger than \(Wording.bytes(bound))")
      return false
    }
    guard block.isComplete, !wasComplete, !block.isInterim else { return true }
    guard !block.hasTwoLengths else {
      // Which of them is right nobody knows, nor where the next answer begins.
      failure = HTTPError(.brokenAnswer, reason: "the response has two lengths that differ")
      return false
    }
    stream?.begin(head())
    return true
  }

  /// When the transfer is to be looked at again, or how it ends for want of time.
  func deadline() -> Result<Moment, HTTPError> {
    guard let ticket else { return .success(.distantFuture) }
    let timeouts = ticket.request.timeouts
    let now = clock.now
    var next = Moment.distantFuture
    if let total = timeouts.total(inMemory: ticket.staysInMemory) {
      next = began + total
      if next <= now {
        return .failure(
          HTTPError(.totalTimeout, reason: "not done after \(Wording.time(total))"))
      }
    }
    // While it pauses it is not the server that makes us wait.
    guard !isPaused, !isHungry, let idle = timeouts.idle else { return .success(next) }
    // Bytes that pass no callback count as well: those sent, and those that a decoder still holds.
    let bytes = easy.offset(CURLINFO_SIZE_UPLOAD_T) + easy.offset(CURLINFO_SIZE_DOWNLOAD_T)
    if bytes != bytesAtLastLook {
      bytesAtLastLook = bytes
      lastActivity = now
    }
    let connected = easy.offset(CURLINFO_PRETRANSFER_TIME_T)
    guard connected > 0 || easy.long(CURLINFO_REQUEST_SIZE) > 0 else {
      // Still connecting, which has a timeout of its own.
      return .success(min(next, now + min(idle, .milliseconds(100))))
    }
    let end = max(lastActivity, hopBegan + .microseconds(connected)) + idle
    guard end <= now else { return .success(min(next, end)) }
    let wait = Wording.time(idle)
    let reason =
      block.count == 0
      ? "no answer for \(wait)"
      : "nothing more for \(wait) after \(Wording.exactBytes(received))"
    return .failure(HTTPError(.idleTimeout, reason: reason))
  }

  /// The hop that the answer asks for, or nil when the answer is the last.
  func nextHop() throws(HTTPError) -> Hop? {
    let status = status
    guard status >= 300, let hop, let request = ticket?.request else { return nil }
    if status == 416, remainder != nil, case .file(let path, _) = request.destination {
      // There is no rest of what lies here: it is forgotten, and the whole asked for.
      PartialFile.forget(path)
      return hop
    }
    guard request.bounds.redirects > 0 else { return nil }
    guard Hop.isRedirect(status), let location = block.fields["Location"] else { return nil }
    let next = try hop.following(status, to: location, of: request)
    guard let decide = request.onRedirect else { return next }
    let redirect = Redirect(
      status: status, url: hop.address.text, target: next.address.text, method: next.method,
      count: next.redirects)
    switch decide(redirect) {
    case .follow: return next
    case .stop: return nil
    case .refuse:
      throw HTTPError(
        .redirect, reason: "the request refuses to be redirected to \(next.address.censored)")
    }
  }

  /// Tells the observer that there is a connection for the request.
  func noteConnection() {
    guard let ticket, let observer = settings.observer else { return }
    observer.connected(
      ObservedRequest(ticket), to: easy.endpoint?.description ?? "",
      isReused: connectionsOpened == 0)
  }

  /// The answer; the body moves into it.
  func response() -> HTTPResponse {
    var response = head()
    let (storage, count) = unsafe body.giveUp()
    response.body = unsafe HTTPBody(adopting: storage, count: count)
    return response
  }

  /// The answer without its body.
  private func head() -> HTTPResponse {
    var response = HTTPResponse(
      status: status, headers: block.fields, url: hop?.address.text ?? "", timings: timings())
    response.version = easy.protocolVersion
    response.endpoint = easy.endpoint
    response.trailers = block.trailers
    return response
  }

  /// The error that a code of libcurl's stands for.
  func error(_ code: CURLcode) -> HTTPError {
    if let failure = failure ?? proxyError(code) { return failure }
    return TransferFault.error(
      code,
      TransferFault.Circumstances(
        answered: block.count > 0, received: received,
        systemError: easy.long(CURLINFO_OS_ERRNO),
        verification: easy.long(CURLINFO_SSL_VERIFYRESULT),
        isInHeaders: connected && !block.isComplete,
        connectTimeout: ticket?.request.timeouts.connect, words: easy.lastWords))
  }

  private var connected: Bool { easy.offset(CURLINFO_PRETRANSFER_TIME_T) > 0 }

  /// Where the time of this attempt went.
  func timings() -> Timings {
    var timings = Timings()
    let lookup = easy.offset(CURLINFO_NAMELOOKUP_TIME_T)
    let connect = easy.offset(CURLINFO_CONNECT_TIME_T)
    let tls = easy.offset(CURLINFO_APPCONNECT_TIME_T)
    timings.nameLookupNanoseconds = Int64(lookup) * 1000
    // 0 is for no connection, however fast one was made.
    timings.connectNanoseconds = connect > 0 ? Int64(max(1, connect - lookup)) * 1000 : 0
    timings.tlsNanoseconds = Int64(max(0, tls - connect)) * 1000
    let earlierHops = hopBegan.nanoseconds - began.nanoseconds
    let firstByte = easy.offset(CURLINFO_STARTTRANSFER_TIME_T)
    timings.firstByteNanoseconds = earlierHops + Int64(firstByte) * 1000
    timings.totalNanoseconds = earlierHops + Int64(easy.offset(CURLINFO_TOTAL_TIME_T)) * 1000
    timings.bytesOnWire = easy.offset(CURLINFO_SIZE_DOWNLOAD_T)
    timings.bytesDecoded = received
    timings.reusedConnection = isConnectionReused
    return timings
  }

  /// How many connections libcurl made for this hop.
  var connectionsOpened: Int { easy.long(CURLINFO_NUM_CONNECTS) }

  /// Whether the hop went over a connection that was open.
  var isConnectionReused: Bool {
    connectionsOpened == 0 && easy.offset(CURLINFO_PRETRANSFER_TIME_T) > 0
  }

  private func tellProgress() {
    let expected = easy.offset(CURLINFO_CONTENT_LENGTH_DOWNLOAD_T)
    let received = easy.offset(CURLINFO_SIZE_DOWNLOAD_T)
    let progress = TransferProgress(
      received: received, expected: expected > 0 ? expected : nil, sent: sent.count,
      expectedToSend: sent.expected)
    if let step = meter.step(progress) { ticket?.tell(step) }
  }
}
