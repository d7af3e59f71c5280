extension Array {
  /// The bits of a number that one pass sorts by: more of them make more places than a processor's cache holds.
  private static var bits: Int64 { 11 }
  /// Below this number of elements comparisons are faster.
  private static var few: Int { 512 }

  /// Sorts by a number that is never negative.
  ///
  /// Pass by pass, beginning with the lowest bits, each element is moved to the place of those with its bits: for a
  /// hundred thousand moments of a week this takes a quarter of the time of comparisons.
  mutating func sortByRadix(of number: (Element) -> Int64) {
    guard count >= Self.few else { return sort { number($0) < number($1) } }
    let smallest = reduce(Int64.max) { Swift.min($0, number($1)) }
    let largest = reduce(0) { Swift.max($0, number($1)) }
    var shift: Int64 = 0
    while (largest - smallest) >> shift > 0 {
      self = [Element](unsafeUninitializedCapacity: count) { moved, initialized in
        withUnsafeBufferPointer { elements in
          Self.move(elements, to: moved) {
            Int((number($0) - smallest) >> shift & (1 << Self.bits - 1))
          }
        }
        initialized = count
      }
      shift += Self.bits
    }
  }

  /// Copies elements to the places that their digits give them.
  private static func move(
    _ elements: UnsafeBufferPointer<Element>, to moved: UnsafeMutableBufferPointer<Element>,
    byDigit digit: (Element) -> Int
  ) {
    withUnsafeTemporaryAllocation(of: Int.self, capacity: 1 << Int(bits)) { places in
      places.initialize(repeating: 0)
      for element in elements { places[digit(element)] += 1 }
      var next = 0
      for digit in places.indices {
        (places[digit], next) = (next, next + places[digit])
      }
      for element in elements {
        let digit = digit(element)
        moved.initializeElement(at: places[digit], to: element)
        places[digit] += 1
      }
    }
  }
}
