/// A mebibyte of zeros, compressed by gzip to 1051 bytes; written down as runs of equal bytes.
enum GzipBomb {
  static let mebibyte: [UInt8] = runs.flatMap { [UInt8](repeating: $0.byte, count: $0.count) }

  private static let runs: [(byte: UInt8, count: Int)] = [
    (0x1f, 1), (0x8b, 1), (0x08, 1), (0x00, 5), (0x02, 1), (0x03, 1), (0xed, 1), (0xc1, 1),
    (0x31, 1), (0x01, 1), (0x00, 3), (0xc2, 1), (0xa0, 1), (0xf5, 1), (0x4f, 1), (0x6d, 1),
    (0x08, 1), (0x5f, 1), (0xa0, 1), (0x00, 1016), (0x3e, 1), (0x03, 1), (0x1c, 1), (0xea, 1),
    (0x38, 1), (0xa7, 1), (0x00, 2), (0x10, 1), (0x00, 1),
  ]
}
