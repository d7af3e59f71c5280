internal import SearchSources

extension RequestCost {
  /// What a request costs, for people: `quota units: 100 a request`.
  var inWords: String {
    let parts = [(perRequest, "request"), (perPost, "post")].filter { $0.0 > 0 }
    return "\(unit): \(parts.map { "\($0.0) a \($0.1)" }.joined(separator: ", "))"
  }
}
