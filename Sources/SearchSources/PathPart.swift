internal import QueuedHTTP

/// A handle or key of a network as a part of an address's path.
enum PathPart {
  /// Returns the text as it is where it can stand in a path, else percent-encoded.
  static func of(_ text: some StringProtocol) -> String {
    var text = String(text)
    let isPlain = text.withUTF8 { bytes in bytes.allSatisfy { Self.isPlain($0) } }
    return isPlain ? text : PercentEncoding.encode(text)
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: ":"):
      true
    case _: false
    }
  }
}
