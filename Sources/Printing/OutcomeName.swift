/// The names of the six outcomes in machine formats.
package enum OutcomeName: String, Hashable, Sendable {
  case completed
  case skipped
  case partial
  case rateLimited = "rate_limited"
  case failed
  case cancelled
}
