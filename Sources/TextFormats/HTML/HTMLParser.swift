internal import CLibXML2

/// Hands a piece of HTML to libxml2's parser, and the parser's events to a builder.
///
/// Events rather than a tree: no allocation for each node, and nesting is cut where it begins, since
/// libxml2 looks through all open elements for each tag.
enum HTMLParser {
  /// Elements nested deeper than this end the reading.
  private static let depthLimit = 256

  @unsafe
  static func parse(_ bytes: UnsafeBufferPointer<UInt8>, into builder: HTMLTextBuilder) {
    guard LibXML2.isPrepared, let context = unsafe htmlNewParserCtxt() else { return }
    defer { unsafe htmlFreeParserCtxt(context) }
    let events = unsafe Events(builder, context)
    unsafe context.pointee.sax.pointee = handler
    let options =
      HTML_PARSE_NOERROR.rawValue | HTML_PARSE_NOWARNING.rawValue | HTML_PARSE_NONET.rawValue
      | HTML_PARSE_IGNORE_ENC.rawValue
    withExtendedLifetime(events) {
      unsafe context.pointee.userData = Unmanaged.passUnretained(events).toOpaque()
      unsafe bytes.withMemoryRebound(to: CChar.self) { text in
        // No tree is built, so there is no document to free; a faulty piece still gave its events.
        _ = unsafe htmlCtxtReadMemory(
          context, text.baseAddress, Int32(text.count), nil, "UTF-8", Int32(options))
      }
    }
  }

  /// What the events go to, and the parser to be stopped.
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

  /// The value of an attribute among name, value, name, value, nil.
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
