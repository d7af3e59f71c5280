internal import CLibXML2

/// Passes HTML to libxml2's parser, and the parser's events to a builder.
///
/// Events rather than a tree: no allocation for each node, and deep nesting can be stopped early, since
/// libxml2 searches all open elements for each tag.
enum HTMLParser {
  /// Reading stops at elements nested deeper than this.
  private static let depthLimit = 256

  /// libxml2's tables, which must be created before two threads parse at once.
  private static let isPrepared: Bool = {
    xmlInitParser()
    return true
  }()

  @unsafe
  static func parse(_ bytes: UnsafeBufferPointer<UInt8>, into builder: HTMLTextBuilder) {
    guard unsafe bytes.contains(UInt8(ascii: "&")) else {
      return unsafe parse(resolved: bytes, into: builder)
    }
    let resolved = unsafe resolvingReferences(in: bytes)
    unsafe resolved.withUnsafeBufferPointer { unsafe parse(resolved: $0, into: builder) }
  }

  /// Replaces each reference by its character, or by its number if the character would be markup.
  ///
  /// libxml2 knows only the names of HTML 4, and reads the numbers 128 to 159 as control codes.
  @unsafe
  private static func resolvingReferences(in bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + 64)
    var isInTag = false
    var quote: UInt8?
    var position = 0
    while position < bytes.count {
      let byte = unsafe bytes[position]
      if byte == UInt8(ascii: "&") {
        let reference = unsafe CharacterReference(
          at: position, in: bytes, within: isInTag ? .attribute : .text)
        for scalar in (reference?.text ?? "&").unicodeScalars { append(scalar, to: &result) }
        position = reference?.end ?? position + 1
        continue
      }
      if !isInTag {
        isInTag = unsafe byte == UInt8(ascii: "<") && beginsTag(at: position + 1, in: bytes)
      } else if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: ">") {
        isInTag = false
      }
      result.append(byte)
      position += 1
    }
    return result
  }

  @unsafe
  private static func beginsTag(at start: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard start < bytes.count else { return false }
    let byte = unsafe bytes[start]
    return byte == UInt8(ascii: "/") || (byte | 0x20) &- UInt8(ascii: "a") <= 25
  }

  private static func append(_ scalar: Unicode.Scalar, to result: inout [UInt8]) {
    switch scalar {
    case "<", ">", "&", "\"", "'": result.append(contentsOf: "&#\(scalar.value);".utf8)
    case "\t", "\n", "\r", "\u{20}"...: TextEncoding.append(scalar, to: &result)
    // Other control codes have no meaning.
    case _: break
    }
  }

  /// Parses HTML in which the only references are to markup characters.
  @unsafe
  private static func parse(
    resolved bytes: UnsafeBufferPointer<UInt8>, into builder: HTMLTextBuilder
  ) {
    guard isPrepared, let context = unsafe htmlNewParserCtxt() else { return }
    defer { unsafe htmlFreeParserCtxt(context) }
    let events = unsafe Events(builder, context)
    unsafe context.pointee.sax.pointee = handler
    let options =
      HTML_PARSE_NOERROR.rawValue | HTML_PARSE_NOWARNING.rawValue | HTML_PARSE_NONET.rawValue
      | HTML_PARSE_IGNORE_ENC.rawValue
    withExtendedLifetime(events) {
      unsafe context.pointee.userData = Unmanaged.passUnretained(events).toOpaque()
      unsafe bytes.withMemoryRebound(to: CChar.self) { text in
        // No tree is built, so there is no document to free; errors do not stop the events.
        _ = unsafe htmlCtxtReadMemory(
          context, text.baseAddress, Int32(text.count), nil, "UTF-8", Int32(options))
      }
    }
  }

  /// The receiver of the events, and the parser that it may stop.
  // Safe: it lives as long as the one call that parses.
  @safe
  private final class Events {
    let builder: HTMLTextBuilder
    let context: htmlParserCtxtPtr
    var depth = 0

    @unsafe
    init(_ builder: HTMLTextBuilder, _ context: htmlParserCtxtPtr) {
      self.builder = builder
      unsafe self.context = unsafe context
    }

    @unsafe
    static func at(_ pointer: UnsafeMutableRawPointer?) -> Events? {
      unsafe pointer.map { unsafe Unmanaged<Events>.fromOpaque($0).takeUnretainedValue() }
    }
  }

  private static var handler: xmlSAXHandler {
    var handler = unsafe xmlSAXHandler()
    unsafe handler.startElement = { unsafe HTMLParser.start($0, $1, $2) }
    unsafe handler.endElement = { pointer, name in
      guard let events = unsafe Events.at(pointer), let name = unsafe name else { return }
      events.depth -= 1
      events.builder.end(unsafe String(cString: name))
    }
    unsafe handler.characters = { pointer, text, count in
      guard let events = unsafe Events.at(pointer) else { return }
      unsafe events.builder.characters(UnsafeBufferPointer(start: text, count: Int(count)))
    }
    unsafe handler.ignorableWhitespace = unsafe handler.characters
    unsafe handler.cdataBlock = unsafe handler.characters
    return unsafe handler
  }

  @unsafe
  private static func start(
    _ pointer: UnsafeMutableRawPointer?, _ name: UnsafePointer<xmlChar>?,
    _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?
  ) {
    guard let events = unsafe Events.at(pointer), let name = unsafe name else { return }
    events.depth += 1
    guard events.depth <= depthLimit else {
      unsafe xmlStopParser(events.context)
      return
    }
    events.builder.start(unsafe String(cString: name)) { unsafe value(of: $0, in: attributes) }
  }

  /// The value of an attribute in a list of name, value, name, value, nil.
  @unsafe
  private static func value(
    of name: StaticString, in attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?
  ) -> String? {
    guard var next = unsafe attributes else { return nil }
    while let found = unsafe next.pointee {
      if unsafe xmlStrEqual(found, name.utf8Start) == 1 {
        return unsafe next[1].map { unsafe String(cString: $0) }
      }
      unsafe next += 2
    }
    return nil
  }
}
