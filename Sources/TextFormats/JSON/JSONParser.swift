internal import CSimdJSON

/// A simdjson parser with its buffers, kept from one document to the next. One thread at a time.
// Unchecked: the pool hands a parser to one caller at a time.
@safe
final class JSONParser: @unchecked Sendable {
  private let parser: OpaquePointer

  init() throws(JSONError) {
    guard let parser = unsafe csimdjson_parser_create() else { throw .outOfMemory }
    unsafe self.parser = unsafe parser
  }

  deinit { unsafe csimdjson_parser_destroy(parser) }

  /// Parses `bytes`, behind which `JSON.spareBytes` more must be readable.
  ///
  /// The node is valid until the next parse or the end of the parser.
  func parse(_ bytes: UnsafeRawBufferPointer) throws(JSONError) -> JSONNode {
    guard let base = bytes.baseAddress else { throw .empty }
    let document = unsafe csimdjson_parse(
      parser, base.assumingMemoryBound(to: UInt8.self), bytes.count)
    guard let tape = unsafe document.tape, let strings = unsafe document.strings else {
      throw unsafe JSONError(code: document.error)
    }
    // Word 0 is the root; the document's value begins behind it.
    return unsafe JSONNode(tape: tape, strings: strings, index: 1)
  }
}
