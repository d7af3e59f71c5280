/// A way of misbehaving that a path segment asks for: `~stall`, `~latency=250`.
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
  case sometimes(Fault, percent: Int)

  /// Reads a segment without its `~`; nil when it names no fault or its value is none.
  init?(_ segment: String) {
    let halves = segment.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let value = halves.count == 2 ? String(halves[1]) : nil
    if halves[0] == "sometimes" {
      // The kind may have a value of its own: `sometimes=status=500:30`.
      guard let value, let colon = value.lastIndex(of: ":"),
        let percent = Int(value[value.index(after: colon)...]), (0...100).contains(percent),
        !value.hasPrefix("sometimes"), let fault = Fault(String(value[..<colon]))
      else { return nil }
      self = .sometimes(fault, percent: percent)
      return
    }
    let fault =
      if let value {
        Self.fault(String(halves[0]), value: value)
      } else {
        Self.plain[String(halves[0])]
      }
    guard let fault else { return nil }
    self = fault
  }

  private static let plain: [String: Fault] = [
    "stall": .stall, "reset": .reset, "cut": .cut, "garbage": .garbage, "html": .html,
    "empty": .empty, "flood": .flood, "bomb": .bomb, "redirect-loop": .redirectLoop,
    "broken-item": .brokenItem, "hostile": .hostile, "expired-token": .expiredToken,
  ]

  /// Three centuries in seconds: more than anything needs, and sums of it stay numbers.
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
    case _: nil
    }
  }

  /// What can be written before a source's segment, for the help.
  static let grammar = """
      latency=MS                wait before the first byte
      stall                     accept and never answer
      stall-after=REQUESTS      answer that many requests to a path, then stall
      trickle=BYTES_PER_SECOND  answer slowly
      reset                     reset the connection
      empty                     close it without an answer
      cut                       close it in the middle of the body
      garbage                   answer 200 with bytes that are no JSON
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
      sometimes=KIND:PERCENT    any of these, now and then
    """
}
