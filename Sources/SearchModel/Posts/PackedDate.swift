internal import FoundationEssentials

/// A date or none, in half the memory of an optional date.
@usableFromInline
package struct PackedDate: Hashable, Sendable {
  // Seconds since 2001, as bits; NaN means no date.
  @usableFromInline let bits: UInt64

  init(_ date: Date? = nil) { bits = (date?.timeIntervalSinceReferenceDate ?? .nan).bitPattern }

  @inlinable var isNone: Bool { bits == Double.nan.bitPattern }

  var value: Date? {
    isNone ? nil : Date(timeIntervalSinceReferenceDate: Double(bitPattern: bits))
  }
}
