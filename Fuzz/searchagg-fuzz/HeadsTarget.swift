import FoundationEssentials
import QueuedHTTP

/// Heads of responses, cut anywhere, in the lines in which libcurl passes them on.
enum HeadsTarget {
  static func read(_ input: [UInt8]) -> Int32 {
    let lines = lines(of: input)
    var block = HeaderBlock()
    var hasEnded = false
    var count = 0
    for line in lines where !hasEnded && block.fault == nil {
      count += line.count
      hasEnded = block.append(line.span)
      precondition(block.count == count, "bytes are not counted")
      precondition(hasEnded == block.isFinal || block.fault != nil, "the end is not seen")
    }
    guard hasEnded, block.fault == nil else { return 0 }
    // Only the empty line ends a head: without it, or without a part of it, there is none.
    precondition(lines.contains { $0 == [13, 10] || $0 == [10] }, "a head without an end")
    for field in block.fields.fields {
      precondition(!field.name.isEmpty && !field.value.contains("\r"), "a field is malformed")
    }
    let lengths = block.fields.values(of: "Content-Length")
      .flatMap { $0.split(separator: ",") }.map { Int($0.filter { $0 != " " && $0 != "\t" }) }
    precondition(lengths.allSatisfy { $0 != nil } && Set(lengths).count <= 1, "an unsafe length")
    return 0
  }

  /// The complete lines.
  private static func lines(of bytes: [UInt8]) -> [[UInt8]] {
    var lines: [[UInt8]] = []
    var rest = bytes[...]
    while let end = rest.firstIndex(of: 10) {
      lines.append(Array(rest[...end]))
      rest = rest[(end + 1)...]
    }
    return lines
  }

  static let seeds = [
    "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Encoding: gzip\r\n\r\n",
    "HTTP/1.1 200 OK\r\nContent-Le", "HTTP/1.1 103 Early\r\n\r\nHTTP/1.1 200 OK\nA : b\n\n",
    "HTTP/2 404 \r\nContent-Length: 1, 1\r\n\r\n", "HTTP/1.1 101 X\r\nX: a\rb\r\n\r\n",
    "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n=\n 4\r\n\r\n",
    "HTTP/1.1 200 OK\r\n: x\r\nContent-Length: 99999999999999999999\r\n\r\n",
  ]
}
