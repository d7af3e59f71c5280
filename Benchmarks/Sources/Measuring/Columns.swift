extension Double {
  /// The number with so many decimals, at the right of so many columns.
  public func right(_ columns: Int, decimals: Int = 0) -> String {
    var scale = 1.0
    for _ in 0..<decimals { scale *= 10 }
    let scaled = (self * scale).rounded()
    guard scaled.isFinite, scaled.magnitude < 1e15 else { return "-" }
    let whole = String(Int(scaled / scale))
    let rest = String(Int(scaled.truncatingRemainder(dividingBy: scale).magnitude))
    let zeros = String(repeating: "0", count: max(0, decimals - rest.count))
    let text = decimals == 0 ? whole : "\(whole).\(zeros)\(rest)"
    return String(repeating: " ", count: max(0, columns - text.count)) + text
  }
}
