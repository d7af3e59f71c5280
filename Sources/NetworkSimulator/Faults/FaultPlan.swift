/// What the faults of one request come to.
struct FaultPlan: Sendable {
  var latency = 0
  var bytesPerSecond: Int?
  var delivery = Delivery.whole
  /// What is said instead of the network's answer.
  var substitute: Fault?
  var breaksItems = false
  var isHostile = false
  var expiresFirstSession = false

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
    case .sometimes(let fault, let percent):
      if draw(percent) { add(fault, earlier: earlier, draw: draw) }
    }
  }
}
