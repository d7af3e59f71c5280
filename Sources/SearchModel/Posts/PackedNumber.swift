/// A number or none, in half the memory of an optional number.
@usableFromInline
package struct PackedNumber: Hashable, Sendable {
  // `Int.min` means no number; no network counts that low.
  @usableFromInline let number: Int

  @inlinable
  init(_ value: Int? = nil) { number = value ?? .min }

  @inlinable var value: Int? { number == .min ? nil : number }
}
