import CZLib
import Glibc
import QueuedHTTP

/// Compressed bodies, which the client decodes in slices on a thread with a small stack.
///
/// The first byte names the codings, the second the length of the pieces in which the rest arrives.
enum BodiesTarget {
  private static let codings = ["gzip", "deflate", "gzip, gzip", "deflate, gzip", "gzip, deflate"]
  /// No body may put out more than this.
  private static let bound = 1 << 20

  /// The worker's stack is larger; nothing may depend on that.
  private static let stack = 256 << 10

  static func read(_ input: [UInt8]) -> Int32 {
    guard input.count > 2 else { return -1 }
    let job = Job(input)
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setstacksize(&attributes, stack)
    defer { pthread_attr_destroy(&attributes) }
    var thread = pthread_t()
    let code = pthread_create(
      &thread, &attributes,
      { user in
        guard let user else { return nil }
        Unmanaged<Job>.fromOpaque(user).takeRetainedValue().run()
        return nil
      }, Unmanaged.passRetained(job).toOpaque())
    precondition(code == 0, "no thread")
    pthread_join(thread, nil)
    return 0
  }

  private final class Job {
    let input: [UInt8]
    init(_ input: [UInt8]) { self.input = input }

    /// The same comes out whatever the pieces.
    func run() {
      let body = Array(input.dropFirst(2))
      let codings = BodiesTarget.codings[Int(input[0]) % BodiesTarget.codings.count]
      let whole = BodiesTarget.decode(body, codings, by: body.count)
      let inPieces = BodiesTarget.decode(body, codings, by: Int(input[1]) % 64 + 1)
      precondition(whole == inPieces, "the pieces make a difference")
    }
  }

  /// Decodes a body that arrives in pieces; nil if it is refused.
  private static func decode(_ body: [UInt8], _ codings: String, by length: Int) -> [UInt8]? {
    var decoded: [UInt8] = []
    do {
      guard let decoder = try ContentDecoder(["Content-Encoding": codings], bound: bound) else {
        preconditionFailure("no decoder for \(codings)")
      }
      var rest = body[...]
      while !rest.isEmpty {
        var piece = rest.prefix(length)
        rest = rest.dropFirst(length)
        while true {
          let before = decoded.count
          var budget = ContentDecoder.slice
          var isFull = false
          let progress = try piece.withUnsafeBytes { bytes in
            try decoder.decode(bytes, budget: &budget) { output throws(HTTPError) in
              isFull = decoded.count + output.count > bound
              if !isFull { decoded += output }
              return !isFull
            }
          }
          if isFull { return nil }
          precondition(
            decoded.count - before <= ContentDecoder.slice + ContentDecoder.piece, "no slice")
          piece = piece.dropFirst(progress.consumed)
          if progress.isDone { break }
        }
      }
      try decoder.finish()
      return decoded
    } catch { return nil }
  }

  /// Seeds: an answer that crashed the client by 2,500 members that hold nothing, and sound ones.
  static let seeds: [[UInt8]] = {
    let emptyMember: [UInt8] =
      [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 3] + [UInt8](repeating: 0, count: 9)
    let members = Array(repeatElement(emptyMember, count: 2_500).joined())
    let text = Array(repeatElement(Array("a text that repeats ".utf8), count: 50).joined())
    let gzip = MAX_WBITS + 16
    let bomb = compress([UInt8](repeating: 0, count: 8 << 20), gzip)
    return [
      [0, 63] + members, [2, 63] + compress(members, gzip), [2, 7] + compress(bomb, gzip),
      [0, 1] + compress(text, gzip), [1, 0] + compress(text, MAX_WBITS),
      [1, 0] + compress(text, -MAX_WBITS), [3, 5] + compress(compress(text, MAX_WBITS), gzip),
      [4, 5] + compress(compress(text, gzip), -MAX_WBITS), [0, 9] + bomb + [0, 0, 0] + bomb,
    ]
  }()

  private static func compress(_ bytes: [UInt8], _ windowBits: Int32) -> [UInt8] {
    var stream = z_stream()
    precondition(czlib_deflate_init(&stream, windowBits) == Z_OK)
    defer { deflateEnd(&stream) }
    var input = bytes
    var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(bytes.count))))
    let count = input.withUnsafeMutableBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output in
        stream.next_in = input.baseAddress
        stream.avail_in = UInt32(input.count)
        stream.next_out = output.baseAddress
        stream.avail_out = UInt32(output.count)
        _ = deflate(&stream, Z_FINISH)
        return output.count - Int(stream.avail_out)
      }
    }
    return Array(output[..<count])
  }
}
