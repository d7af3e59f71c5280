/// The responses of faults that replace a network's own.
enum FaultAnswers {
  /// Claims to be JSON with status 200, but is neither text nor JSON.
  static func garbage(seed: UInt64) -> SimulatedAnswer {
    var numbers = SplitMix64(seed: seed)
    let bytes = (0..<2048).map { _ in UInt8(truncatingIfNeeded: numbers.next()) }
    return SimulatedAnswer(
      headers: [("Content-Type", "application/json; charset=utf-8")],
      body: [0xFF, 0xFE, 0x00] + bytes)
  }

  /// A page such as a proxy in front of an application shows when something is wrong.
  static let page = SimulatedAnswer.html(
    """
    <!DOCTYPE html>
    <html><head><title>Just a moment...</title></head>
    <body><h1>Checking your browser</h1><p>Please enable cookies &amp; scripts.</p></body></html>

    """)

  /// Redirects to the address of the request.
  static func loop(_ request: SimulatedRequest) -> SimulatedAnswer {
    let query = request.query.isEmpty ? "" : "?" + request.query
    return redirect(to: "http://\(request.host)\(request.path)\(query)")
  }

  /// Redirects to the same address under another scheme, without the faults in its path.
  static func redirect(_ request: SimulatedRequest, scheme: String) -> SimulatedAnswer {
    if scheme == "file" { return redirect(to: "file:///etc/passwd") }
    let path = request.path.split(separator: "/").drop { $0.hasPrefix("~") }.joined(separator: "/")
    let query = request.query.isEmpty ? "" : "?" + request.query
    return redirect(to: "\(scheme)://\(request.host)/\(path)\(query)")
  }

  private static func redirect(to location: String) -> SimulatedAnswer {
    SimulatedAnswer(status: 302, headers: [("Location", location)], body: [])
  }
}
