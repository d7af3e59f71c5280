internal import FoundationEssentials

/// The one field into which the drafts of the IETF put a quota, in both of its forms.
struct RateLimitField {
  var limit: Double?
  var remaining: Double?
  var reset: Date?
  /// The name of the quota, without its quotation marks.
  var policy: String?

  /// Longer values are read no further.
  private static let longestValue = 1024

  /// Reads `limit=100, remaining=50, reset=30` or `"default";r=50;t=30`; nil where neither stands.
  init?(_ value: String, now: Date) {
    let items = Self.items(of: value)
    let isDictionary = items.contains { item in
      item.keys.contains { ["limit", "remaining", "reset"].contains($0) }
    }
    if isDictionary {
      for item in items {
        limit = limit ?? item["limit"].flatMap(RateLimit.number)
        remaining = remaining ?? item["remaining"].flatMap(RateLimit.number)
        reset = reset ?? item["reset"].flatMap { RateLimit.moment($0, now: now) }
      }
      return
    }
    // Several quotas hold at once: the one that is nearest to its end counts.
    var isFound = false
    for item in items {
      guard let left = item["r"].flatMap(RateLimit.number) else { continue }
      if isFound, let remaining, remaining <= left { continue }
      isFound = true
      remaining = left
      reset = item["t"].flatMap { RateLimit.moment($0, now: now) }
      policy = item[""]
    }
    if !isFound { return nil }
  }

  /// How much a policy allows: `"default";q=100;w=60`, or `100;w=60` as older drafts wrote it.
  static func quota(of name: String?, in value: String) -> Double? {
    let items = items(of: value)
    let meant = name.flatMap { name in items.first { $0[""] == name } } ?? items.first
    return (meant?["q"] ?? meant?[""]).flatMap(RateLimit.number)
  }

  /// The members of a list, each with its parameters; what stands before them has the key "".
  private static func items(of value: String) -> [[String: String]] {
    value.prefix(longestValue).split(separator: ",").map { member in
      var item: [String: String] = [:]
      for (index, part) in member.split(separator: ";").enumerated() {
        let sides = part.split(separator: "=", maxSplits: 1).map { side in
          String(side.filter { $0 != " " && $0 != "\t" && $0 != "\"" })
        }
        guard let name = sides.first else { continue }
        if sides.count == 2 {
          item[name.lowercased()] = sides[1]
        } else if index == 0 {
          item[""] = name
        }
      }
      return item
    }
  }
}
