/// Which part of a list is asked for, by ids, as all of Mastodon's lists do it.
struct MastodonRange: Sendable {
  private let parameters: Parameters
  private let limit: Int

  private static let standard = 20
  private static let most: UInt = 40

  init(_ parameters: Parameters) {
    self.parameters = parameters
    // Too much is capped without a word; what is no number counts as zero, as in Ruby.
    limit =
      parameters["limit"].map { Int(min((Int($0) ?? 0).magnitude, Self.most)) } ?? Self.standard
  }

  private func id(_ name: String) -> UInt64? {
    parameters[name].map { UInt64($0.prefix { $0.isASCII && $0.isNumber }) ?? 0 }
  }

  /// Returns the page of `found`, which must be newest first.
  func page(of found: [MastodonStatus]) -> [MastodonStatus] {
    var inside = found[...]
    if let most = id("max_id") { inside = inside.drop { $0.id >= most } }
    if let least = id("min_id") {
      // The page just above an id; `since_id` is the newest page above it.
      return Array(inside.prefix { $0.id > least }.suffix(limit))
    }
    if let least = id("since_id") { inside = inside.prefix { $0.id > least } }
    return Array(inside.prefix(limit))
  }

  /// Returns the `Link` header of a page.
  func links(newest: UInt64, oldest: UInt64, request: SimulatedRequest) -> String {
    let kept = parameters.pairs.filter { !["max_id", "since_id", "min_id"].contains($0.name) }
      .map { "\(PercentDecoding.encode($0.name))=\(PercentDecoding.encode($0.value))&" }.joined()
    let base = "http://\(request.host)\(request.path)?\(kept)"
    return "<\(base)max_id=\(oldest)>; rel=\"next\", <\(base)min_id=\(newest)>; rel=\"prev\""
  }
}
