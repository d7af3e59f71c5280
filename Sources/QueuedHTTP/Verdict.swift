public import FoundationEssentials

/// A judge's word on a response.
public enum Verdict: Sendable, Hashable {
  /// The response is the request's end, whatever its status.
  case done
  /// Worth another attempt after what `Retry-After` asks for, else a back-off, within the policy's
  /// limit and budget; the response is the end when these are spent.
  case retry
  /// The same, after just this wait.
  case retryAfter(Duration)
  /// The quota is spent: the request and all others of its lane wait until this moment. When that
  /// is beyond the time left, the response is the end at once. Where the server names no moment it
  /// is nil, and they wait for a back-off.
  case coolDown(until: Date?)
  /// The response is the request's end and is good, but all others of its lane wait until this
  /// moment: some networks say "slow down" beside what was asked for.
  case doneThenCoolDown(until: Date)
}
