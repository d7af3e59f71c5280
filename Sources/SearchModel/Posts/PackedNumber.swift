/// A number or none, in half the memory of an optional number.
@usableFromInline
package struct PackedNumber: Hashable, Sendable {
  // `Int.min`, which no network counts to, stands for no number.
  @usableFromInline let number: Int

  @inlinable
  init(_ value: Int? = nil) { number = value ?? .min }

  @inlinable var value: Int? { number == .min ? nil : number }
}
