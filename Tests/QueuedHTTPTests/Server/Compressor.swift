import CZLib

/// Compresses bodies the way servers do.
enum Compressor {
  enum Form: CaseIterable, Sendable {
    case gzip, zlib, rawDeflate

    /// The name in `Content-Encoding`: servers call either form of the last two `deflate`.
    var coding: String { self == .gzip ? "gzip" : "deflate" }

    fileprivate var windowBits: Int32 {
      switch self {
      case .gzip: MAX_WBITS + 16
      case .zlib: MAX_WBITS
      case .rawDeflate: -MAX_WBITS
      }
    }
  }

  /// A gzip member that holds nothing.
  static let emptyMember =
    [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 3] + [UInt8](repeating: 0, count: 9)

  /// A complete stream.
  static func compress(_ bytes: [UInt8], as form: Form = .gzip) -> [UInt8] {
    run(bytes, form, flush: Z_FINISH)
  }

  /// The header of a gzip stream, and a part that can follow it and itself any number of times.
  static func endless(_ bytes: [UInt8]) -> (head: [UInt8], part: [UInt8]) {
    let head = 10
    // After a full flush, nothing refers to what was before.
    let once = run(bytes, .gzip, flush: Z_FULL_FLUSH)
    return (Array(once[..<head]), Array(once[head...]))
  }

  private static func run(_ bytes: [UInt8], _ form: Form, flush: Int32) -> [UInt8] {
    var stream = z_stream()
    precondition(czlib_deflate_init(&stream, form.windowBits) == Z_OK)
    defer { deflateEnd(&stream) }
    var input = bytes
    var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(bytes.count))) + 64)
    let count = input.withUnsafeMutableBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output in
        stream.next_in = input.baseAddress
        stream.avail_in = UInt32(input.count)
        stream.next_out = output.baseAddress
        stream.avail_out = UInt32(output.count)
        _ = deflate(&stream, flush)
        return output.count - Int(stream.avail_out)
      }
    }
    return Array(output[..<count])
  }
}
