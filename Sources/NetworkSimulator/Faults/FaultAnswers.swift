/// The answers that faults give instead of a network's own.
enum FaultAnswers {
  /// Says 200 and JSON, and is neither text nor JSON.
  static func garbage(seed: UInt64) -> SimulatedAnswer {
    var numbers = SplitMix64(seed: seed)
    let bytes = (0..<2048).map { _ in UInt8(truncatingIfNeeded: numbers.next()) }
    return SimulatedAnswer(
      headers: [("Content-Type", "application/json; charset=utf-8")],
      body: [0xFF, 0xFE, 0x00] + bytes)
  }

  /// A page such as stands before an application when something is wrong.
  static let page = SimulatedAnswer.html(
    """
    <!DOCTYPE html>
    <html><head><title>Just a moment...</title></head>
    <body><h1>Checking your browser</h1><p>Please enable cookies &amp; scripts.</p></body></html>

    """)

  /// Leads back to where the request came from.
  static func loop(_ request: SimulatedRequest) -> SimulatedAnswer {
    let query = request.query.isEmpty ? "" : "?" + request.query
    return redirect(to: "http://\(request.host)\(request.path)\(query)")
  }

  /// Leads to the same place under another scheme, without the faults that stand in the path.
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
