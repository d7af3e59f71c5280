/// Reading JSON (RFC 8259) over simdjson.
package enum JSON {
  /// How many bytes must be readable behind a text that is read in place.
  package static let spareBytes = 64

  /// Calls `visit` with the root of the document in `bytes`, and returns what it returns.
  ///
  /// `spareBytes` more must be readable behind them. Nodes must not leave `visit`. The parser is one
  /// that is kept from earlier calls where one is free, so any number of threads may read at once.
  package static func read<Result>(
    padded bytes: UnsafeRawBufferPointer, _ visit: (JSONNode) throws -> Result
  ) throws -> Result {
    let parser = try parsers.take()
    defer { parsers.give(back: parser) }
    return try visit(unsafe parser.parse(bytes))
  }

  private static let parsers = JSONParserPool()
}
