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

  /// Adds up `faults`; `draw` says whether a chance of so many percent came true.
  init(_ faults: [Fault], draw: (Int) -> Bool) {
    for fault in faults { add(fault, draw: draw) }
  }

  private mutating func add(_ fault: Fault, draw: (Int) -> Bool) {
    switch fault {
    case .latency(let milliseconds): latency += milliseconds
    case .trickle(let rate): bytesPerSecond = rate
    case .stall: delivery = .stall
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
    case .sometimes(let fault, let percent): if draw(percent) { add(fault, draw: draw) }
    }
  }
}
