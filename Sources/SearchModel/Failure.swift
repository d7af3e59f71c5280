package import FoundationEssentials

/// What went wrong, for people and for scripts.
package struct Failure: Error, Hashable, Sendable {
  /// What the failure means for another try.
  package enum Kind: String, Hashable, Sendable {
    /// For now: 5xx, 429, a timeout, no connection, time is up. Worth another try later.
    case temporary
    /// For good: 4xx, or an answer that cannot be read.
    case permanent
    /// The credential is missing or was refused.
    case credential
  }

  package var kind: Kind
  /// The HTTP status, where there was one.
  package var status: Int?
  /// What happened, one line in lower case, without secrets and control codes.
  package var message: String
  /// What to do about it, in a few words; nil when nothing helps but to look.
  package var advice: String?
  /// When the server wants to be asked again, where it said so.
  package var until: Date?
  /// Whether there was not even a connection.
  package var isUnreachable: Bool

  package init(
    _ kind: Kind, status: Int? = nil, message: String, advice: String? = nil, until: Date? = nil,
    isUnreachable: Bool = false
  ) {
    self.kind = kind
    self.status = status
    self.message = message
    self.advice = advice
    self.until = until
    self.isUnreachable = isUnreachable
  }
}
