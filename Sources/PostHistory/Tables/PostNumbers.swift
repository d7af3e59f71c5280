/// The numbers of posts in a column: eight bytes each.
enum PostNumbers {
  static func bytes(_ numbers: [Int64]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(numbers.count * 8)
    for number in numbers {
      for shift in stride(from: 0, to: 64, by: 8) {
        bytes.append(UInt8(truncatingIfNeeded: number >> Int64(shift)))
      }
    }
    return bytes
  }

  static func all(in bytes: [UInt8]) -> [Int64] {
    stride(from: 0, to: bytes.count / 8 * 8, by: 8).map { start in
      var number: Int64 = 0
      for place in 0..<8 { number |= Int64(bytes[start + place]) << Int64(place * 8) }
      return number
    }
  }
}
