internal import CCurl

extension Transfer {
  /// Sets the handle for a hop.
  func write(_ hop: Hop) throws(HTTPError) {
    let plain = PlainRequest(hop, of: ticket)
    if plain == nil || plain != written {
      written = nil
      easy.reset()
      try configure()
      try writeParts(of: hop)
      written = plain
    }
    easy.forgetWords()
    try easy.set(CURLOPT_URL, hop.address.text)
  }

  /// Sets all but the address.
  private func writeParts(of hop: Hop) throws(HTTPError) {
    // So that a second request to a host waits for the first one's connection, to share it.
    if hop.address.isSecure { try easy.set(CURLOPT_PIPEWAIT, 1) }
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
    for field in hop.headers.fields where isOwn(field.name, of: hop) {
      try lines.append(field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")
    }
    if hop.redirects == 0 {
      for field in hop.cacheFields.fields { try lines.append("\(field.name): \(field.value)") }
    }
    try introduce(hop)
    try askForRest(hop)
    if let upload = hop.upload {
      try write(upload, of: hop)
      try easy.set(CURLOPT_HTTPHEADER, lines)
      return
    }
    traffic.sent += hop.body?.count ?? 0
    if meter.threshold != nil, hop.body != nil { try watchSending() }
    switch (hop.method, hop.body) {
    case (.get, nil): try easy.set(CURLOPT_HTTPGET, 1)
    case (.head, nil): try easy.set(CURLOPT_NOBODY, 1)
    case (.post, _), (.put, _), (.patch, _), (_, _?):
      try easy.set(CURLOPT_POST, 1)
      try easy.setBody(hop.body ?? [])
      if hop.method != .post { try easy.set(CURLOPT_CUSTOMREQUEST, hop.method.rawValue) }
      // What libcurl would add of its own: a form's type, and a question before the body.
      if hop.headers["Content-Type"] == nil { try lines.append("Content-Type:") }
      if hop.headers["Expect"] == nil { try lines.append("Expect:") }
    case (_, nil):
      try easy.set(CURLOPT_CUSTOMREQUEST, hop.method.rawValue)
    }
    try easy.set(CURLOPT_HTTPHEADER, lines)
  }

  /// Sets up a body that is read as it is sent.
  private func write(_ upload: UploadBody, of hop: Hop) throws(HTTPError) {
    guard let id = ticket?.id else { return }
    let opened = try UploadSource(upload) { [wake] in wake(id) }
    try easy.set(CURLOPT_UPLOAD, 1)
    if hop.method != .put { try easy.set(CURLOPT_CUSTOMREQUEST, hop.method.rawValue) }
    if let length = opened.length { try easy.setOffset(CURLOPT_INFILESIZE_LARGE, length) }
    source = consume opened
    let user = unsafe Unmanaged.passUnretained(self).toOpaque()
    try unsafe easy.set(CURLOPT_READDATA, pointer: user)
    try unsafe easy.set(CURLOPT_SEEKDATA, pointer: user)
    try unsafe easy.setBodyCallbacks(read: sendBody, seek: seekBody)
    if hop.headers["Expect"] == nil { try lines.append("Expect:") }
    if meter.threshold != nil { try watchSending() }
  }

  private func watchSending() throws(HTTPError) {
    try easy.set(CURLOPT_NOPROGRESS, 0)
    let user = unsafe Unmanaged.passUnretained(self).toOpaque()
    try unsafe easy.set(CURLOPT_XFERINFODATA, pointer: user)
    try unsafe easy.setProgressCallback(noteProgress)
  }

  /// Says who asks, and what can be decoded.
  ///
  /// Not by the options for it where they can be avoided: libcurl makes such lines anew for each
  /// request, byte by byte, and copies them byte by byte.
  private func introduce(_ hop: Hop) throws(HTTPError) {
    if hop.headers["User-Agent"] == nil, let agent = settings.userAgent {
      if hop.address.isSecure {
        // A proxy on the way is told too.
        try easy.set(CURLOPT_USERAGENT, agent)
      } else {
        try lines.append("User-Agent: \(agent)")
      }
    }
    let asked = hop.headers["Accept-Encoding"]
    if asked == nil || resumedFile(of: hop) != nil {
      // Pieces of a compressed body would not fit together.
      let isPart = resumedFile(of: hop) != nil || hop.headers["Range"] != nil
      try lines.append("Accept-Encoding: \(isPart ? "identity" : ContentDecoder.codings)")
    }
    // What only libcurl can decode is for the request to ask for: of such bodies nobody can tell
    // whether they are whole.
    isDecodedByLibcurl = asked.map { $0.contains("br") || $0.contains("zstd") } ?? false
    // Empty means all that this libcurl can decode; what is asked for is among the lines.
    if isDecodedByLibcurl { try easy.set(CURLOPT_ACCEPT_ENCODING, "") }
  }

  /// Whether a field of the request is sent as it is.
  private func isOwn(_ name: String, of hop: Hop) -> Bool {
    !HTTPHeaders.areSame(name, "Accept-Encoding") || resumedFile(of: hop) == nil
  }

  /// Asks only for what an earlier attempt did not bring.
  private func askForRest(_ hop: Hop) throws(HTTPError) {
    guard let path = resumedFile(of: hop) else { return }
    remainder =
      hop.headers["Range"] == nil
      ? PartialFile.rest(of: path, from: ticket?.hop.address.text ?? "") : nil
    guard let remainder else { return }
    try lines.append("Range: bytes=\(remainder.offset)-")
    try lines.append("If-Range: \(remainder.validator)")
  }

  /// The file in which an earlier attempt is gone on with, if one may be.
  private func resumedFile(of hop: Hop) -> String? {
    guard case .file(let path, resumes: true)? = ticket?.request.destination, hop.method == .get
    else { return nil }
    return path
  }
}
