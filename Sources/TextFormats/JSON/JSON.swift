/// Reading JSON (RFC 8259) over simdjson.
package enum JSON {
  /// How many bytes must be readable behind a text that is read in place.
  package static let spareBytes = 64

  /// Calls `visit` with the root of the document in `bytes`, and returns what it returns.
  ///
  /// `spareBytes` more must be readable behind them. Nodes must not leave `visit`. The parser is one
  /// that is kept from earlier calls where one is free, so any number of threads may read at once.
  /// Slips that leave the structure whole (`JSONRepair`) are mended in a copy.
  package static func read<Result>(
    padded bytes: UnsafeRawBufferPointer, _ visit: (JSONNode) throws -> Result
  ) throws -> Result {
    let parser = try parsers.take()
    defer { parsers.give(back: parser) }
    let root: JSONNode
    do {
      root = try unsafe parser.parse(bytes)
    } catch {
      guard let mended = unsafe JSONRepair.mended(bytes) else { throw error }
      // The parser's buffers hold what the nodes need: the copy may go once it is parsed.
      root = try parse(mended, with: parser)
    }
    return try visit(root)
  }

  /// The same without repair, for a text that nothing is known to stand behind.
  static func readStrictly<Result>(
    _ bytes: [UInt8], _ visit: (JSONNode) throws -> Result
  ) throws -> Result {
    let parser = try parsers.take()
    defer { parsers.give(back: parser) }
    return try visit(parse(bytes, with: parser))
  }

  private static func parse(_ bytes: [UInt8], with parser: JSONParser) throws(JSONError) -> JSONNode
  {
    var padded: [UInt8] = []
    padded.reserveCapacity(bytes.count + spareBytes)
    padded.append(contentsOf: bytes)
    padded.append(contentsOf: repeatElement(0, count: spareBytes))
    let parsed = unsafe padded.withUnsafeBytes { buffer -> Result<JSONNode, JSONError> in
      let text = unsafe UnsafeRawBufferPointer(rebasing: buffer[..<bytes.count])
      do throws(JSONError) { return .success(try unsafe parser.parse(text)) } catch {
        return .failure(error)
      }
    }
    return try parsed.get()
  }

  /// Whether a text that is no JSON is the beginning of some: an array or object that was cut off.
  package static func endsEarly(_ text: [UInt8]) -> Bool { JSONDiagnosis.endsEarly(text) }

  private static let parsers = JSONParserPool()
}
