internal import FoundationEssentials

/// A date or none, in half the memory of an optional date.
@usableFromInline
package struct PackedDate: Hashable, Sendable {
  // Seconds since 2001, as bits; NaN means no date.
  @usableFromInline let bits: UInt64

  init(_ date: Date? = nil) { bits = (date?.timeIntervalSinceReferenceDate ?? .nan).bitPattern }

  @inlinable var isNone: Bool { bits == Double.nan.bitPattern }

  /// In seconds since 1970; nil for no date.
  @inlinable var seconds: Double? {
    isNone ? nil : Double(bitPattern: bits) + Self.secondsFrom1970To2001
  }

  @usableFromInline static let secondsFrom1970To2001 = 978_307_200.0

  var value: Date? {
    isNone ? nil : Date(timeIntervalSinceReferenceDate: Double(bitPattern: bits))
  }
}
