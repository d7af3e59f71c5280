internal import SafeFiles

/// An opened folder of a cache: its files, and the key that their names and checksums are made with.
struct CacheFolder: Sendable {
  let files: PrivateFolder
  let key: SipHash.Key

  private static let suffix = ".entry"

  /// Makes the folder and its key where there are none.
  static func open(_ path: String) -> Result<CacheFolder, FileWriteError> {
    do throws(FileWriteError) {
      let files = try PrivateFolder(at: path)
      let file = PrivateFile(path: files.file("key"))
      if let key = read(file) { return .success(CacheFolder(files: files, key: key)) }
      // Of several that find none, the first makes one for all.
      let made = try FileLock.hold(file.path) { () throws(FileWriteError) in
        if let key = read(file) { return key }
        let key = SipHash.Key(low: .random(in: 0 ... .max), high: .random(in: 0 ... .max))
        var writer = ByteWriter()
        writer.append(key.low)
        writer.append(key.high)
        try file.write(writer.bytes)
        return key
      }
      return try .success(CacheFolder(files: files, key: made.get()))
    } catch { return .failure(error) }
  }

  /// A key that is missing, damaged or open to others is none: a new one takes its place, and nothing
  /// that was written with it is found any more.
  private static func read(_ file: PrivateFile) -> SipHash.Key? {
    guard let bytes = try? file.read(limit: 64), bytes.count == 16 else { return nil }
    var reader = ByteReader(bytes)
    guard let low = reader.number(UInt64.self), let high = reader.number(UInt64.self) else {
      return nil
    }
    return SipHash.Key(low: low, high: high)
  }

  /// The name of an entry's file.
  static func name(of digest: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    let name = digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    return String(decoding: name, as: UTF8.self) + suffix
  }

  /// Whether a file is an entry.
  static func isEntry(_ name: String) -> Bool {
    name.utf8.count == 32 + suffix.utf8.count && name.hasSuffix(suffix)
      && name.utf8.prefix(32).allSatisfy {
        (0x30...0x39).contains($0) || (0x61...0x66).contains($0)
      }
  }

  /// Whether a file is an entry that is being written, or that a killed process left.
  static func isUnfinished(_ name: String) -> Bool {
    name.hasPrefix(".") && name.hasSuffix(".new")
      && isEntry(String(name.dropFirst().prefix(32 + suffix.utf8.count)))
  }
}
