internal import CCurl

/// The options of a transfer's easy handle, and what they point to.
///
/// A handle that was set up for a plain request needs only another address for the next equal one.
struct HandleSetup: ~Copyable {
  private let settings: ClientConfiguration
  private let sockets: OpenSockets
  // libcurl copies none of these.
  private var lines = HeaderList()
  private var overrides = HeaderList()
  private var target = ParsedTarget()
  /// The plain request that the handle is set up for; nil if it is set up for anything else.
  private var prepared: PlainRequest?

  init(_ settings: ClientConfiguration, _ sockets: OpenSockets) {
    (self.settings, self.sockets) = (settings, sockets)
  }

  /// Sets everything that a hop needs.
  ///
  /// - Parameters:
  ///   - user: The transfer, for the callbacks.
  ///   - isAgain: True if the hop met stray bytes, and needs a connection of its own.
  ///   - remainder: The part of a file to request; nil for the whole.
  ///   - uploadLength: The length of a body that is read while it is sent, if it is known.
  @unsafe
  mutating func apply(
    to easy: borrowing EasyHandle, user: UnsafeMutableRawPointer, for hop: Hop, of ticket: Ticket,
    isAgain: Bool, remainder: PartialFile.Rest?, uploadLength: Int?
  ) throws(HTTPError) {
    let plain = isAgain ? nil : PlainRequest(hop, of: ticket)
    if plain == nil || plain != prepared {
      prepared = nil
      easy.reset()
      try unsafe setClientOptions(on: easy, user)
      try setConnection(on: easy, for: hop, of: ticket)
      if isAgain { try easy.set(CURLOPT_FRESH_CONNECT, 1) }
      try setFields(on: easy, for: hop, of: ticket, remainder)
      if hop.upload != nil {
        try unsafe setUpload(on: easy, user, for: hop, length: uploadLength)
      } else {
        try setMethodAndBody(on: easy, for: hop)
      }
      if ticket.progressThreshold != nil, hop.upload != nil || hop.body != nil {
        try unsafe reportSending(on: easy, user)
      }
      try easy.set(CURLOPT_HTTPHEADER, lines)
      prepared = plain
    }
    easy.clearErrorText()
    // A proxy that opens no tunnel needs the whole URL. An empty setting means no proxy.
    let isDirect = hop.address.isSecure || settings.proxy == ""
    try target.set(hop.address, isDirect: isDirect, on: easy)
  }

  @unsafe
  private mutating func setClientOptions(
    on easy: borrowing EasyHandle, _ user: UnsafeMutableRawPointer
  ) throws(HTTPError) {
    overrides = HeaderList()
    for override in settings.nameOverrides { try overrides.append(override.line) }
    try easy.apply(settings, overrides: overrides)
    try unsafe easy.set(CURLOPT_PRIVATE, pointer: user)
    try unsafe easy.set(CURLOPT_WRITEDATA, pointer: user)
    try unsafe easy.set(CURLOPT_HEADERDATA, pointer: user)
    try unsafe easy.setCallbacks(write: receiveBody, header: receiveHeaderLine)
    try unsafe easy.setSendingCallback(allowSending, user: user)
    let sockets = unsafe Unmanaged.passUnretained(sockets).toOpaque()
    try unsafe easy.setSocketCallbacks(
      open: openSocket, of: user, close: closeSocket, of: sockets)
  }

  // MARK: - The connection

  private func setConnection(
    on easy: borrowing EasyHandle, for hop: Hop, of ticket: Ticket
  ) throws(HTTPError) {
    let isSecure = hop.address.isSecure
    // A second request to a host waits for the first one's connection, to share it.
    if isSecure { try easy.set(CURLOPT_PIPEWAIT, 1) }
    let mayUseHTTP2 = settings.httpVersion.mayBeHTTP2(isSecure: isSecure)
    try easy.setBuffer(mayUseHTTP2 && CurlGlobal.losesEndsOfStreams ? 256 << 10 : 128 << 10)
    if settings.httpVersion == .http2, !isSecure {
      try easy.set(CurlGlobal.reusesPlainHTTP2 ? CURLOPT_PIPEWAIT : CURLOPT_FRESH_CONNECT, 1)
      if !CurlGlobal.reusesPlainHTTP2 { try easy.set(CURLOPT_FORBID_REUSE, 1) }
    }
    if let cookies = settings.cookies {
      if hop.headers["Cookie"] == nil { try cookies.attach(to: easy) } else { easy.leaveShare() }
    }
    let connect = ticket.request.timeouts.connect
    let milliseconds = connect.map { max(1, $0.wholeNanoseconds / 1_000_000) } ?? .max
    try easy.set(CURLOPT_CONNECTTIMEOUT_MS, Int(min(milliseconds, Int64(Int32.max))))
  }

  // MARK: - The header fields

  private mutating func setFields(
    on easy: borrowing EasyHandle, for hop: Hop, of ticket: Ticket, _ remainder: PartialFile.Rest?
  ) throws(HTTPError) {
    lines = HeaderList()
    let isResuming = ticket.resumedFile(by: hop) != nil
    for field in hop.headers.fields
    where !isResuming || !HTTPHeaders.areSame(field.name, "Accept-Encoding") {
      try lines.append(field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")
    }
    if hop.redirects == 0 {
      for field in hop.cacheFields.fields { try lines.append("\(field.name): \(field.value)") }
    }
    try setClientFields(on: easy, for: hop, isResuming: isResuming)
    if let remainder {
      try lines.append("Range: bytes=\(remainder.offset)-")
      try lines.append("If-Range: \(remainder.validator)")
    }
  }

  /// Adds the client's own fields: `User-Agent` and `Accept-Encoding`.
  ///
  /// Not with libcurl's options for them if that can be avoided: it builds such lines again for each
  /// request, byte by byte.
  private mutating func setClientFields(
    on easy: borrowing EasyHandle, for hop: Hop, isResuming: Bool
  ) throws(HTTPError) {
    if hop.headers["User-Agent"] == nil, let agent = settings.userAgent {
      if hop.address.isSecure {
        // This option also applies to a request to a proxy.
        try easy.set(CURLOPT_USERAGENT, agent)
      } else {
        try lines.append("User-Agent: \(agent)")
      }
    }
    if hop.headers["Accept-Encoding"] == nil || isResuming {
      // Parts of a compressed body could not be put together.
      let isPart = isResuming || hop.headers["Range"] != nil
      try lines.append("Accept-Encoding: \(isPart ? "identity" : ContentDecoder.codings)")
    }
  }

  // MARK: - The method and the body

  private mutating func setMethodAndBody(
    on easy: borrowing EasyHandle, for hop: Hop
  ) throws(HTTPError) {
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

  /// Makes libcurl ask for the body while it is sent.
  @unsafe
  private mutating func setUpload(
    on easy: borrowing EasyHandle, _ user: UnsafeMutableRawPointer, for hop: Hop, length: Int?
  ) throws(HTTPError) {
    try easy.set(CURLOPT_UPLOAD, 1)
    if hop.method != .put { try easy.set(CURLOPT_CUSTOMREQUEST, hop.method.rawValue) }
    if let length { try easy.setOffset(CURLOPT_INFILESIZE_LARGE, length) }
    try unsafe easy.set(CURLOPT_READDATA, pointer: user)
    try unsafe easy.set(CURLOPT_SEEKDATA, pointer: user)
    try unsafe easy.setBodyCallbacks(read: sendBody, seek: seekBody)
    if hop.headers["Expect"] == nil { try lines.append("Expect:") }
  }

  @unsafe
  private func reportSending(
    on easy: borrowing EasyHandle, _ user: UnsafeMutableRawPointer
  ) throws(HTTPError) {
    try easy.set(CURLOPT_NOPROGRESS, 0)
    try unsafe easy.set(CURLOPT_XFERINFODATA, pointer: user)
    try unsafe easy.setProgressCallback(noteProgress)
  }
}
