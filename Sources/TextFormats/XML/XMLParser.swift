internal import CLibXML2

/// Hands XML to libxml2's parser, and the parser's events to a builder.
///
/// What is wrong is passed over, as far as the parser can (`XML_PARSE_RECOVER`). Without a document
/// type there is nothing to load and nothing to expand.
enum XMLParser {
  /// Parses UTF-8.
  static func parse(_ xml: [UInt8], into builder: XMLTreeBuilder) {
    guard LibXML2.isPrepared, xml.count <= Int32.max, let context = unsafe xmlNewParserCtxt() else {
      return
    }
    defer { unsafe xmlFreeParserCtxt(context) }
    let events = unsafe Events(builder, context)
    unsafe context.pointee.sax.pointee = handler
    // NOENT has references in attributes replaced too; there is no entity that it could expand.
    let options =
      XML_PARSE_RECOVER.rawValue | XML_PARSE_NOERROR.rawValue | XML_PARSE_NOWARNING.rawValue
      | XML_PARSE_NONET.rawValue | XML_PARSE_IGNORE_ENC.rawValue | XML_PARSE_HUGE.rawValue
      | XML_PARSE_NOENT.rawValue
    withExtendedLifetime(events) {
      unsafe context.pointee.userData = Unmanaged.passUnretained(events).toOpaque()
      unsafe xml.withUnsafeBytes { bytes in
        // No tree is built, so there is no document to free.
        _ = unsafe xmlCtxtReadMemory(
          context, bytes.bindMemory(to: CChar.self).baseAddress, Int32(xml.count), nil, "UTF-8",
          Int32(options))
      }
    }
  }

  /// What the events go to, and the parser to be stopped.
  // Safe: it lives as long as the one call that parses.
  @safe
  private final class Events {
    let builder: XMLTreeBuilder
    let context: xmlParserCtxtPtr

    @unsafe
    init(_ builder: XMLTreeBuilder, _ context: xmlParserCtxtPtr) {
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
    unsafe handler.initialized = UInt32(XML_SAX2_MAGIC)
    unsafe handler.startElementNs = { unsafe XMLParser.start($0, $1, $2, $3, $6, $8) }
    unsafe handler.endElementNs = { pointer, _, _, _ in
      guard let events = unsafe Events.at(pointer) else { return }
      events.builder.end()
    }
    unsafe handler.characters = { pointer, text, count in
      guard let events = unsafe Events.at(pointer), !events.builder.isFull else { return }
      unsafe events.builder.characters(UnsafeBufferPointer(start: text, count: Int(count)))
    }
    unsafe handler.ignorableWhitespace = unsafe handler.characters
    unsafe handler.cdataBlock = unsafe handler.characters
    return unsafe handler
  }

  @unsafe
  private static func start(
    _ pointer: UnsafeMutableRawPointer?, _ local: UnsafePointer<xmlChar>?,
    _ prefix: UnsafePointer<xmlChar>?, _ namespace: UnsafePointer<xmlChar>?,
    _ count: Int32, _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?
  ) {
    guard let events = unsafe Events.at(pointer) else { return }
    guard !events.builder.isFull else {
      unsafe xmlStopParser(events.context)
      return
    }
    events.builder.start(unsafe name(local, prefix, namespace))
    // Name, prefix, namespace, and the two ends of the value.
    for index in 0..<Int(count) {
      guard let parts = unsafe attributes.map({ unsafe $0 + index * 5 }),
        let start = unsafe parts[3], let end = unsafe parts[4]
      else { return }
      unsafe events.builder.attribute(
        name(parts[0], parts[1], parts[2]),
        UnsafeBufferPointer(start: start, count: end - start))
    }
  }

  @unsafe
  private static func name(
    _ local: UnsafePointer<xmlChar>?, _ prefix: UnsafePointer<xmlChar>?,
    _ namespace: UnsafePointer<xmlChar>?
  ) -> XMLName {
    unsafe XMLName(
      prefix: prefix.map { unsafe String(cString: $0) } ?? "",
      namespace: namespace.map { unsafe String(cString: $0) },
      local: local.map { unsafe String(cString: $0) } ?? "")
  }
}
