package import FoundationEssentials
package import QueuedHTTP

/// Reads the ways in which networks say "slow down".
package enum SlowDown {
  package static func verdict(on response: HTTPResponse, now: Date) -> Verdict { .done }
}
