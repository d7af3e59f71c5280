/// Zeros, compressed by gzip to a thousandth of their size.
enum GzipBomb {
  /// A mebibyte in 1051 bytes; written down as runs of equal bytes.
  static let mebibyte: [UInt8] = runs.flatMap { [UInt8](repeating: $0.byte, count: $0.count) }

  /// Endless as far as a bound is concerned: a gibibyte in a mebibyte, without its end.
  static let gibibyte = beginning + [UInt8](repeating: 0, count: 1_040_500)

  /// The same compressed once more, to two kibibytes: `Content-Encoding: gzip, gzip`.
  static let nested: [UInt8] = {
    let count = UInt8(beginning.count)
    // The first bytes as they are, in a block of their own; then all the zeros.
    let stored = [0, count, 0, 255 - count, 255] + beginning
    return Array(beginning.prefix(10)) + stored + beginning.dropFirst(10)
      + [UInt8](repeating: 0, count: 1009)
  }()

  /// The header, and the block up to where every zero byte stands for 1032 others.
  private static let beginning = Array(mebibyte.prefix(25))

  private static let runs: [(byte: UInt8, count: Int)] = [
    (0x1f, 1), (0x8b, 1), (0x08, 1), (0x00, 5), (0x02, 1), (0x03, 1), (0xed, 1), (0xc1, 1),
    (0x31, 1), (0x01, 1), (0x00, 3), (0xc2, 1), (0xa0, 1), (0xf5, 1), (0x4f, 1), (0x6d, 1),
    (0x08, 1), (0x5f, 1), (0xa0, 1), (0x00, 1016), (0x3e, 1), (0x03, 1), (0x1c, 1), (0xea, 1),
    (0x38, 1), (0xa7, 1), (0x00, 2), (0x10, 1), (0x00, 1),
  ]
}
