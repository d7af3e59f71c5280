/// Makes well-formed XML of what is nearly XML, in one pass over its UTF-8.
///
/// Elements, attributes and text come out of it, within one more element around all. Comments,
/// processing instructions and the document type are left out, so that the parser never loads or
/// expands anything. References become numbers: those by name are HTML's and the plain ones that the
/// document type declares, up to a bound. Tags end in the order that they began in, whatever is
/// written; an end without a beginning is none.
struct XMLTidying {
  /// Elements nested deeper lose their tags and keep their text.
  private static let depthLimit = 200
  /// What declared entities may add to a document.
  private static let expansionLimit = 1 << 20

  let source: [UInt8]
  var position = 0
  var result: [UInt8] = []
  /// Where the names of the open elements stand in the source.
  private var open: [Range<Int>] = []
  private var entities = XMLEntities()
  private var expansion = 0
  /// Whether the document ends within an element.
  private(set) var isCut = false

  private init(_ source: [UInt8]) { self.source = source }

  /// Returns the document in good order; text outside of all elements may stand in it.
  static func tidied(_ text: [UInt8]) -> (xml: [UInt8], isCut: Bool) {
    var tidying = XMLTidying(text)
    tidying.run()
    return (tidying.result, tidying.isCut)
  }

  private mutating func run() {
    result.reserveCapacity(source.count + 1024)
    result.append(contentsOf: "<all>".utf8)
    while position < source.count {
      switch source[position] {
      case UInt8(ascii: "<"): takeMarkup()
      case UInt8(ascii: "&"): takeReference()
      case _: takeText(until: [UInt8(ascii: "<"), UInt8(ascii: "&")])
      }
    }
    isCut = isCut || !open.isEmpty
    while !open.isEmpty { close() }
    result.append(contentsOf: "</all>".utf8)
  }

  private mutating func takeMarkup() {
    if isNext("<![CDATA[") {
      takeData()
    } else if isNext("<!--") {
      skip(past: "-->")
    } else if isNext("<?") {
      skip(past: "?>")
    } else if isNext("<!") {
      skipDeclaration()
    } else if isNext("</"), let name = name(at: position + 2) {
      takeEnd(name)
    } else if let name = name(at: position + 1) {
      takeStart(name)
    } else {
      result.append(contentsOf: "&#60;".utf8)
      position += 1
    }
  }

  private mutating func takeData() {
    position += 9
    let end = place(of: "]]>", from: position)
    isCut = isCut || end == nil
    result.append(contentsOf: "<![CDATA[".utf8)
    takeText(upTo: end ?? source.count)
    result.append(contentsOf: "]]>".utf8)
    position = min((end ?? source.count) + 3, source.count)
  }

  private mutating func skip(past end: StaticString) {
    guard let place = place(of: end, from: position) else {
      isCut = true
      position = source.count
      return
    }
    position = place + end.utf8CodeUnitCount
  }

  /// Steps over a document type, and keeps the plain entities that it declares.
  private mutating func skipDeclaration() {
    var depth = 0
    while position < source.count {
      if isNext("<!--") {
        skip(past: "-->")
        continue
      }
      switch source[position] {
      case UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: "<") where depth > 0 && isNext("<!ENTITY"):
        position = entities.declaration(at: position + 8, in: source)
        continue
      case UInt8(ascii: ">") where depth <= 0:
        position += 1
        return
      case _: break
      }
      position += 1
    }
    isCut = true
  }

  private mutating func takeStart(_ name: Range<Int>) {
    position = name.upperBound
    let isKept = open.count < Self.depthLimit
    let start = result.count
    result.append(UInt8(ascii: "<"))
    result.append(contentsOf: source[name])
    let isEmpty = takeAttributes()
    if !isKept {
      result.removeSubrange(start...)
    } else if isEmpty || isVoid(name) {
      result.append(contentsOf: "/>".utf8)
    } else {
      result.append(UInt8(ascii: ">"))
      open.append(name)
    }
  }

  private mutating func takeEnd(_ name: Range<Int>) {
    position = name.upperBound
    while position < source.count, source[position] != UInt8(ascii: "<") {
      position += 1
      if source[position - 1] == UInt8(ascii: ">") { break }
    }
    guard let place = open.lastIndex(where: { isSame($0, name) }) else { return }
    while open.count > place { close() }
  }

  private mutating func close() {
    guard let name = open.popLast() else { return }
    result.append(contentsOf: "</".utf8)
    result.append(contentsOf: source[name])
    result.append(UInt8(ascii: ">"))
  }

  /// Takes what begins with `&`, whether it is a reference or not.
  mutating func takeReference() {
    let found = unsafe source.withUnsafeBufferPointer { bytes in
      unsafe Entities.end(ofReferenceAt: position, in: bytes).map { end in
        let name = unsafe UnsafeBufferPointer(rebasing: bytes[position + 1..<end])
        return unsafe (end: end, scalar: Entities.scalar(name))
      }
    }
    if let found, let text = entities[source[position + 1..<found.end]] {
      position = found.end + 1
      expansion += text.count
      guard expansion <= Self.expansionLimit else { return }
      for scalar in text { appendReference(to: scalar) }
    } else if let found, let scalar = found.scalar {
      position = found.end + 1
      appendReference(to: scalar)
    } else {
      position += 1
      result.append(contentsOf: "&#38;".utf8)
    }
  }

  private mutating func appendReference(to scalar: Unicode.Scalar) {
    switch scalar.value {
    case 0x09, 0x0A, 0x0D, 0x20...0xFFFD, 0x10000...:
      result.append(contentsOf: "&#\(scalar.value);".utf8)
    case _: break
    }
  }

  /// Elements of HTML that have no end, where people write none.
  private func isVoid(_ name: Range<Int>) -> Bool {
    ["br", "hr", "img", "wbr", "input"].contains { word in
      word.utf8.count == name.count
        && zip(word.utf8, source[name]).allSatisfy { $0 == $1 | 0x20 }
    }
  }

  /// Whether two names are the same, of which case does not count.
  private func isSame(_ one: Range<Int>, _ other: Range<Int>) -> Bool {
    guard one.count == other.count else { return false }
    return zip(source[one], source[other]).allSatisfy { left, right in
      left == right || (left | 0x20 == right | 0x20 && left | 0x20 >= UInt8(ascii: "a"))
    }
  }
}
