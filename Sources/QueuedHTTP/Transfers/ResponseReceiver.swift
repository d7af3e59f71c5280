internal import CCurl

/// The response of one hop as it arrives: its head, and then its body on the way to memory, a stream or
/// a file.
struct ResponseReceiver: ~Copyable {
  /// The fate of a piece of the body; libcurl passes one that was not taken again.
  enum Intake {
    case taken
    /// The stream has no room.
    case streamIsFull
    /// The rest has to wait for its turn to be decoded.
    case waitsForTurn
  }

  private enum Destination {
    case memory
    case stream(BodyStream)
    /// - Parameters:
    ///   - address: The requested URL, before redirects.
    ///   - remainder: The part that was requested; nil for the whole.
    case file(path: String, resumes: Bool, address: String, remainder: PartialFile.Rest?)
  }

  private enum Coding {
    /// No bytes have arrived.
    case undetermined
    case identity
    case encoded(ContentDecoder)
  }

  private let traffic: LoopTraffic
  private let turns: DecodingTurns

  private(set) var head = HeaderBlock()
  private var status = 0
  private var isToHEAD = false

  private var destination = Destination.memory
  /// The maximum number of body bytes.
  private var bound = 0
  private var buffer = BodyBuffer()
  private var file: BodyFile?
  private var coding = Coding.undetermined
  /// The bytes of a piece that were decoded before it had to wait.
  private var decoded = 0
  /// The number of body bytes, decoded.
  private(set) var received = 0

  init(traffic: LoopTraffic, turns: DecodingTurns) {
    (self.traffic, self.turns) = (traffic, turns)
  }

  /// Begins again, for another hop.
  mutating func clear() {
    head.clear()
    buffer.clear()
    forgetDestination()
    (decoded, received) = (0, 0)
  }

  /// Releases what belongs to the request.
  mutating func prepareForReuse() {
    forgetDestination()
    buffer = BodyBuffer()
  }

  private mutating func forgetDestination() {
    (destination, file, coding) = (.memory, nil, .undetermined)
  }

  // MARK: - The head

  /// Adds a header line; returns whether the head of a final response ends with it.
  mutating func addHeader(_ line: Span<UInt8>, bound: Int?) throws(HTTPError) -> Bool {
    let isEnd = head.append(line)
    if let bound, head.count > bound {
      throw HTTPError(.tooLarge, reason: "headers larger than \(Wording.bytes(bound))")
    }
    if let fault = head.fault { throw HTTPError(.brokenAnswer, reason: fault.rawValue) }
    return isEnd
  }

  /// Decides after the head where the body goes: that of any status but a success stays in memory.
  ///
  /// - Parameter remainder: The part of a file that was requested.
  mutating func beginBody(
    of ticket: Ticket, _ method: HTTPMethod?, status: Int, remainder: PartialFile.Rest?
  ) {
    self.status = status
    isToHEAD = method == .head
    let isSuccess = (200..<300).contains(status)
    bound = ticket.request.bounds.bodyBytes(inMemory: ticket.staysInMemory || !isSuccess)
    guard isSuccess else { return }
    if case .stream(let stream) = ticket.delivery {
      destination = .stream(stream)
    } else if case .file(let path, let resumes) = ticket.request.destination, status != 204,
      !isToHEAD
    {
      destination = .file(
        path: path, resumes: resumes, address: ticket.hop.address.text, remainder: remainder)
    }
  }

  // MARK: - The body

  /// The stream that the body goes to, if any.
  var stream: BodyStream? {
    guard case .stream(let stream) = destination else { return nil }
    return stream
  }

  /// Takes body bytes as they come from the network.
  @unsafe
  mutating func receive(
    _ bytes: UnsafeRawBufferPointer, from easy: borrowing EasyHandle
  ) throws(HTTPError) -> Intake {
    // Before anything is decoded, because a decoder cannot go back.
    if let stream, stream.isFull() { return .streamIsFull }
    if case .undetermined = coding {
      coding = try makeDecoder().map { .encoded($0) } ?? .identity
    }
    if case .encoded(let decoder) = coding {
      return try unsafe decode(bytes, with: decoder, from: easy)
    }
    try unsafe take(bytes, from: easy)
    return .taken
  }

  private func makeDecoder() throws(HTTPError) -> ContentDecoder? {
    guard head.namesEncoding else { return nil }
    return try ContentDecoder(head.fields, bound: bound)
  }

  /// Decodes a slice of a piece.
  @unsafe
  private mutating func decode(
    _ bytes: UnsafeRawBufferPointer, with decoder: ContentDecoder, from easy: borrowing EasyHandle
  ) throws(HTTPError) -> Intake {
    let skipped = min(decoded, bytes.count)
    let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[skipped...])
    let share = turns.share
    var budget = share
    let progress = try unsafe decoder.decode(rest, budget: &budget) { piece throws(HTTPError) in
      try unsafe take(piece, from: easy)
      return stream?.isFull() != true
    }
    turns.use(share - budget)
    guard !progress.isDone else {
      decoded -= skipped
      return .taken
    }
    decoded = skipped + progress.consumed
    return stream?.isFull() == true ? .streamIsFull : .waitsForTurn
  }

  /// Takes decoded bytes of the body.
  @unsafe
  private mutating func take(
    _ bytes: UnsafeRawBufferPointer, from easy: borrowing EasyHandle
  ) throws(HTTPError) {
    guard received + bytes.count <= bound else {
      throw HTTPError(.tooLarge, reason: "body larger than \(Wording.bytes(bound))")
    }
    if let stream {
      unsafe stream.add(bytes)
    } else if let file = try openFile() {
      try unsafe file.write(bytes)
    } else {
      if buffer.count == 0 {
        // The stated length is trusted for 1 MiB only; bytes that did arrive are always trusted.
        let stated = max(bytes.count, easy.offset(CURLINFO_CONTENT_LENGTH_DOWNLOAD_T))
        buffer.reserve(min(stated, bound, bytes.count + 1 << 20))
      }
      guard unsafe buffer.append(bytes) else {
        throw HTTPError(.tooLarge, reason: "out of memory for the body")
      }
    }
    received += bytes.count
    traffic.received += bytes.count
  }

  /// The file that the body goes to, if any; it is created for the first bytes, or for an empty body.
  mutating func openFile() throws(HTTPError) -> BodyFile? {
    if let file { return file }
    guard case .file(let path, let resumes, let address, let remainder) = destination else {
      return nil
    }
    let opened = try BodyFile(
      path, resumes: resumes, status: status, headers: head.fields, from: address,
      requested: remainder)
    file = opened
    return opened
  }

  // MARK: - The end

  /// Throws if the body is incomplete.
  func checkEnd(_ easy: borrowing EasyHandle) throws(HTTPError) {
    switch coding {
    case .encoded(let decoder): try decoder.finish()
    case .undetermined where !isToHEAD && status != 204 && status != 304:
      // An empty body of an encoding that nobody knows may be a cut one; so is one of a known encoding
      // that only the end of its connection ends.
      if try makeDecoder() != nil, easy.endsWithConnection(head.fields) {
        throw HTTPError(.brokenAnswer, reason: "the compressed body is incomplete")
      }
    case .undetermined, .identity: break
    }
    try checkHiddenLength(easy)
  }

  /// Throws if the body is shorter than a length that libcurl did not see.
  private func checkHiddenLength(_ easy: borrowing EasyHandle) throws(HTTPError) {
    let count = easy.offset(CURLINFO_SIZE_DOWNLOAD_T)
    guard let length = head.hiddenLength, count < length, !isToHEAD, status != 304 else { return }
    throw HTTPError(
      .brokenAnswer, reason: "the response ended early, after \(Wording.exactBytes(count))")
  }

  /// Hands over the body in memory.
  mutating func takeBody() -> HTTPBody {
    let (storage, count) = unsafe buffer.giveUp()
    return unsafe HTTPBody(adopting: storage, count: count)
  }
}
