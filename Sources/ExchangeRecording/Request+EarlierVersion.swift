extension RecordedExchange.Request {
  /// Returns whether this may be a request as an earlier version of searchagg has written it: to the same
  /// address, with the same parameters or fewer, each with the same items or fewer.
  ///
  /// Later versions ask for more fields of a post (`tweet.fields=id,attachments`), or set more conditions
  /// (`q=swift is:public`). What tells one search or page from another is a parameter that has to be equal.
  func isEarlierVersion(of other: Self) -> Bool {
    guard method == other.method, body == other.body else { return false }
    let (own, others) = (Parts(of: url), Parts(of: other.url))
    return own.address == others.address
      && own.parameters.allSatisfy { name, items in
        others.parameters[name].map { Self.areInOrder(items, in: $0) } ?? false
      }
  }

  private static func areInOrder(_ items: [String], in all: [String]) -> Bool {
    var rest = items[...]
    for item in all where item == rest.first { rest.removeFirst() }
    return rest.isEmpty
  }

  /// An address up to its query, and the items of each parameter, as they are encoded.
  private struct Parts {
    var address: Substring
    var parameters: [Substring: [String]] = [:]

    init(of url: String) {
      let halves = url.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
      address = halves[0]
      for parameter in halves.dropFirst().first?.split(separator: "&") ?? [] {
        let parts = parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let value = parts.count > 1 ? String(parts[1]) : ""
        // Items are separated by commas or blanks.
        parameters[parts[0], default: []] +=
          value.replacing("%2C", with: ",").replacing("%20", with: ",").replacing("+", with: ",")
          .split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      }
    }
  }
}
