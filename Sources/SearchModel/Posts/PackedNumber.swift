/// A number or none, in half the memory of an optional number.
@usableFromInline
package struct PackedNumber: Hashable, Sendable {
  // `Int.min` is none: nobody counts that far down.
  @usableFromInline let number: Int

  @inlinable
  init(_ value: Int? = nil) { number = value ?? .min }

  @inlinable var value: Int? { number == .min ? nil : number }
}
