internal import TextFormats

/// Reads what a client has sent as JSON.
enum JSONBody {
  /// Calls `visit` with the root; nil when the bytes are no JSON.
  static func read<Result>(_ bytes: [UInt8], _ visit: (JSONNode) -> Result?) -> Result? {
    let padded = bytes + [UInt8](repeating: 0, count: JSON.spareBytes)
    return padded.withUnsafeBytes { buffer in
      do {
        return try JSON.read(
          padded: UnsafeRawBufferPointer(rebasing: buffer[..<bytes.count]), visit)
      } catch {
        return nil
      }
    }
  }
}
