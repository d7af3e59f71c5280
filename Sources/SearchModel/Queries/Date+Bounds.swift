package import FoundationEssentials

extension Date {
  /// True if it is not before `since`, and before `until`; nil is no bound.
  package func isWithin(since: Date?, until: Date?) -> Bool {
    since.map { self >= $0 } ?? true && until.map { self < $0 } ?? true
  }
}
