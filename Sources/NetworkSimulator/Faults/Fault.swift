/// A fault that a path segment asks for: `~stall`, `~latency=250`.
indirect enum Fault: Sendable, Hashable {
  case latency(milliseconds: Int)
  case stall
  case stallAfter(requests: Int)
  case trickle(bytesPerSecond: Int)
  case reset
  case cut
  case garbage
  case html
  case empty
  case status(Int)
  case retryAfter(seconds: Int)
  case flood
  case big(bytes: Int)
  case bomb
  case redirectLoop
  case redirect(scheme: String)
  case brokenItem
  case hostile
  case expiredToken
  case paging(PagingFault)
  case sometimes(Fault, percent: Int)
  /// Only the first requests to a path.
  case first(Fault, requests: Int)
  /// Only the requests to a path after the first ones.
  case after(Fault, requests: Int)

  /// Parses a segment without its `~`; returns nil for an unknown fault or an invalid value.
  init?(_ segment: String) {
    let halves = segment.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let value = halves.count == 2 ? String(halves[1]) : nil
    if Self.conditions.contains(halves[0]) {
      guard let value, let fault = Self.conditional(halves[0], value: value) else { return nil }
      self = fault
      return
    }
    let fault =
      if let value {
        Self.fault(String(halves[0]), value: value)
      } else {
        Self.plain[String(halves[0])] ?? PagingFault(rawValue: String(halves[0])).map(Fault.paging)
      }
    guard let fault else { return nil }
    self = fault
  }

  private static let conditions: Set<Substring> = ["sometimes", "first", "after"]

  /// The kind may have a value of its own: `sometimes=status=500:30`.
  private static func conditional(_ name: Substring, value: String) -> Fault? {
    guard let colon = value.lastIndex(of: ":"),
      let number = Int(value[value.index(after: colon)...]),
      number >= 0, !conditions.contains(where: value.hasPrefix),
      let fault = Fault(String(value[..<colon]))
    else { return nil }
    switch name {
    case "first": return .first(fault, requests: number)
    case "after": return .after(fault, requests: number)
    default: return number <= 100 ? .sometimes(fault, percent: number) : nil
    }
  }

  private static let plain: [String: Fault] = [
    "stall": .stall, "reset": .reset, "cut": .cut, "garbage": .garbage, "html": .html,
    "empty": .empty, "flood": .flood, "bomb": .bomb, "redirect-loop": .redirectLoop,
    "broken-item": .brokenItem, "hostile": .hostile, "expired-token": .expiredToken,
  ]

  /// Three centuries in seconds, so that sums do not overflow.
  private static let greatest = 10_000_000_000

  private static func fault(_ name: String, value: String) -> Fault? {
    if name == "redirect" { return value.isEmpty ? nil : .redirect(scheme: value) }
    guard let number = Int(value), (0...greatest).contains(number) else { return nil }
    return switch name {
    case "latency": .latency(milliseconds: number)
    case "stall-after": .stallAfter(requests: number)
    case "trickle": number > 0 ? .trickle(bytesPerSecond: number) : nil
    case "status": (200...599).contains(number) ? .status(number) : nil
    case "retry-after": .retryAfter(seconds: number)
    case "big": .big(bytes: number)
    default: nil
    }
  }

  /// The faults with their meanings, for the help text.
  static let grammar = """
      latency=MS                wait before the first byte
      stall                     accept and never answer
      stall-after=REQUESTS      answer that many requests to a path, then stall
      trickle=BYTES_PER_SECOND  answer slowly
      reset                     reset the connection
      empty                     close it without an answer
      cut                       close it in the middle of the body
      garbage                   answer 200 with bytes that are not JSON
      html                      answer 200 with a page
      status=CODE               answer with the network's own error
      retry-after=SECONDS       say "slow down" in the network's own way
      flood                     answer with 20,000 headers
      big=BYTES                 answer with a body of that size
      bomb                      answer with a gibibyte of spaces, gzipped
      redirect-loop             redirect to the same address
      redirect=SCHEME           redirect to another scheme
      broken-item               break every fourth item of a page
      hostile                   put control codes, markup and formulas into texts
      expired-token             Bluesky: the first token has expired
    \(PagingFault.grammar)
      sometimes=KIND:PERCENT    any of these, now and then
      first=KIND:REQUESTS       any of these, for the first requests to a path
      after=KIND:REQUESTS       any of these, for the requests to a path after the first ones
    """
}

/// The combined faults of one request.
struct FaultPlan: Sendable {
  var latency = 0
  var bytesPerSecond: Int?
  var delivery = Delivery.whole
  /// The fault whose response replaces the network's own.
  var substitute: Fault?
  var breaksItems = false
  var isHostile = false
  var expiresFirstSession = false
  var paging: PagingFault?

  /// Combines `faults`.
  ///
  /// - Parameters:
  ///   - earlier: The number of earlier requests to the same path.
  ///   - draw: Returns true with a probability given in percent.
  init(_ faults: [Fault], earlier: Int = 0, draw: (Int) -> Bool) {
    for fault in faults { add(fault, earlier: earlier, draw: draw) }
  }

  private mutating func add(_ fault: Fault, earlier: Int, draw: (Int) -> Bool) {
    switch fault {
    case .latency(let milliseconds): latency += milliseconds
    case .trickle(let rate): bytesPerSecond = rate
    case .stall: delivery = .stall
    case .stallAfter(let requests): if earlier >= requests { delivery = .stall }
    case .reset: delivery = .reset
    case .empty: delivery = .empty
    case .cut: delivery = .cut
    case .flood: delivery = .flood
    case .big(let bytes): delivery = .padded(bytes)
    case .bomb: delivery = .bomb
    case .garbage, .html, .status, .retryAfter, .redirectLoop, .redirect: substitute = fault
    case .brokenItem: breaksItems = true
    case .hostile: isHostile = true
    case .expiredToken: expiresFirstSession = true
    case .paging(let fault): paging = fault
    case .sometimes(let fault, let percent):
      if draw(percent) { add(fault, earlier: earlier, draw: draw) }
    case .first(let fault, let requests):
      if earlier < requests { add(fault, earlier: earlier, draw: draw) }
    case .after(let fault, let requests):
      if earlier >= requests { add(fault, earlier: earlier, draw: draw) }
    }
  }
}

/// The way a response is sent.
enum Delivery: Sendable, Hashable {
  case whole
  /// No response, for as long as the client waits.
  case stall
  /// The connection is reset.
  case reset
  /// The connection is closed without a response.
  case empty
  /// Half of the body, then the connection is closed.
  case cut
  /// Tens of thousands of headers.
  case flood
  /// The body, padded with white space to a number of bytes.
  case padded(Int)
  /// A small gzip file that decompresses to many spaces.
  case bomb
}
