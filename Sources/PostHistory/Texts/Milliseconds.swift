package import FoundationEssentials

/// A moment in whole milliseconds since 1970, as posts tell it.
package struct Milliseconds: Hashable, Sendable {
  package let count: Int64

  package init(count: Int64) { self.count = count }

  package init(_ date: Date) {
    // Absurd dates are clamped to the range that can be stored.
    let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
    count = Int64(min(max(milliseconds, -9e15), 9e15))
  }

  package var date: Date { Date(timeIntervalSince1970: Double(count) / 1000) }

  package var second: Int64 { count >= 0 ? count / 1000 : (count - 999) / 1000 }
}
