import Testing

@testable import TextFormats

@Suite struct XMLTests {
  private func document(_ bytes: [UInt8], charset: String? = nil) -> XMLDocument {
    unsafe bytes.withUnsafeBytes { bytes in
      unsafe XMLDocument(bytes, charset: charset) { name in
        (name.prefix.isEmpty ? name.local : "\(name.prefix):\(name.local)", .any)
      }
    }
  }

  private func document(_ text: String) -> XMLDocument { document(Array(text.utf8)) }

  /// The document as text, to compare.
  private func text(_ text: String) -> String { markup(document(text)) }

  private func markup(_ document: XMLDocument) -> String {
    document.roots.map { root in
      "<\(root.key)>\(root.markup)</\(root.key)>"
    }.joined()
  }

  @Test(arguments: [
    ("<a><b>1</b><b c='2'/></a>", "<a><b>1</b><b c=\"2\"></b></a>"),
    (" junk <?xml version='1.0'?><!-- x --><a>1</a> more", "<a>1</a>"),
    ("<a>&lt;&amp;&quot;&eacute;&#233;&#xE9;&nbsp;</a>", "<a>&lt;&amp;&quot;ééé\u{A0}</a>"),
    (
      "<a>&unknown; & &copy=2 &#0; &#xD800;</a>",
      "<a>&amp;unknown; &amp; &amp;copy=2 \u{FFFD} \u{FFFD}</a>"
    ),
    ("<a>don&#146;t</a>", "<a>don’t</a>"), ("<a>1 < 2 <3</a>", "<a>1 &lt; 2 &lt;3</a>"),
    ("<a><![CDATA[<b>&amp;]]></a>", "<a>&lt;b&gt;&amp;amp;</a>"),
    ("<a><b>1</a><a>2</b></a>", "<a><b>1</b></a><a>2</a>"), ("<A>1</a>", "<A>1</A>"),
    ("<a>1<br>2<br/>3</br></a>", "<a>1<br></br>2<br></br>3</a>"),
    ("<a b=c d e='f' e='g'>1</a>".replacing(">1", with: "/>1"), "<a></a>"),
    (
      "<a><b x=1 y=\"<&amp;\" z='&quot;'/></a>",
      "<a><b x=\"1\" y=\"&lt;&amp;\" z=\"&quot;\"></b></a>"
    ),
    ("<a>\u{1}\u{8}1\u{FFFE}</a>", "<a>1</a>"),
    ("<p:a><p:b q:c='1'>x</p:b></p:a>", "<p:a><b c=\"1\">x</b></p:a>"),
  ])
  func `Malformed XML is read as it was meant`(written: String, read: String) {
    #expect(text(written) == read)
  }

  @Test(arguments: [
    ("<a>", true), ("<a><b></a>", false), ("<a><![CDATA[x", true), ("<a>1</a><!-- x", true),
    ("<a>1</a>", false), ("<!DOCTYPE a [", true), ("", false),
  ])
  func `A truncated document is recognized`(text: String, isCut: Bool) {
    #expect(document(text).isCut == isCut)
  }

  @Test func `Names have their namespaces, and attributes their values`() {
    let document = document(
      "<a xmlns='urn:1' xmlns:p='urn:2'><p:b p:c='1&amp;2' d='3'/><q:e/></a>")
    let names = document.elements.map(\.name)
    #expect(
      names == [
        XMLName(prefix: "", namespace: "urn:1", local: "a"),
        XMLName(prefix: "p", namespace: "urn:2", local: "b"),
        XMLName(prefix: "q", namespace: nil, local: "e"),
      ])
    let b = document.elements.first { $0.key == "p:b" }
    #expect(b?["p:c"] == "1&2" && b?["d"] == "3" && b?["e"] == nil && b?.parent?.key == "a")
  }

  @Test func `Only plain entities of a document type are expanded`() {
    let bomb = (0..<20).map { "<!ENTITY e\($0 + 1) \"&e\($0);&e\($0);&e\($0);\">" }.joined()
    let document = document(
      "<!DOCTYPE a [<!ENTITY e0 \"boom\"><!ENTITY q '&#8220;'>\(bomb)"
        + "<!ENTITY f SYSTEM \"file:///etc/passwd\"><!ENTITY % p \"x\">]><a>&q;&e0;|&e20;|&f;|&p;</a>"
    )
    #expect(document.roots.first { _ in true }?.text == "“boom|&e19;&e19;&e19;|&f;|&p;")
    let long = String(repeating: "x", count: 256)
    let many = String(repeating: "&e;", count: 100_000)
    let grown = self.document("<!DOCTYPE a [<!ENTITY e \"\(long)\">]><a>\(many)</a>")
    #expect((grown.roots.first { _ in true }?.text.utf8.count ?? 0) <= 1 << 20)
  }

  @Test func `Text and attributes are limited`() {
    let long = String(repeating: "é&#233;", count: 1 << 18)
    let document = document("<a b='\(long)'>\(long)<![CDATA[\(long)]]><c>\(long)</c><d/></a>")
    let root = document.roots.first { _ in true }
    #expect(root?["b"]?.utf8.count ?? 0 <= 1 << 20 && root?["b"]?.hasSuffix("é") == true)
    let texts = document.elements.map(\.text.utf8.count)
    #expect(texts.allSatisfy { $0 <= 1 << 21 } && texts[1] > 1 << 19 && texts[2] == 0)
    #expect(!document.isCut)
  }

  @Test func `Nesting is limited, but text beyond the limit is kept`() {
    let deep =
      String(repeating: "<a>", count: 100_000) + "x" + String(repeating: "</a>", count: 100_000)
    let document = document("<r>\(deep)</r>")
    #expect(document.elements.reduce(0) { count, _ in count + 1 } == 200)
    #expect(document.roots.first { _ in true }?.text == "x")
  }

  @Test(
    arguments: [
      ([0xEF, 0xBB, 0xBF] + Array("<a>é</a>".utf8), nil, "é"),
      (Array("<a>é</a>".utf8), "iso-8859-1", "é"),
      (Array("<?xml version='1.0' encoding='iso-8859-1'?><a>é</a>".utf8), nil, "é"),
      (
        Array("<?xml version='1.0' encoding='iso-8859-1'?><a>日本é".utf8) + [0xF8]
          + Array("</a>".utf8), nil, "日本éø"
      ),
      (Array("<?xml version='1.0' encoding='utf-8'?><a>é</a>".utf8), "koi8-r", "é"),
      (Array("<a>".utf8) + [0xE9, 0x92] + Array("</a>".utf8), nil, "é’"),
      (Array("<a>éé".utf8) + [0xE9] + Array("</a>".utf8), "utf-8", "ééé"),
      (
        Array("<?xml version='1.0' encoding='UTF-8'?><a>é cut ".utf8) + [0xC3]
          + Array("</a>".utf8), nil, "é cut Ã"
      ),
      (Array("<a>日本".utf8) + [0xE9, 0x92, 0xFF] + Array("</a>".utf8), nil, "日本é’ÿ"),
      (
        Array("<a>No".utf8) + [0xCB, 0xBB] + Array(" caf".utf8) + [0xE9] + Array("</a>".utf8), nil,
        "NoË» café"
      ),
      (Array("<a>".utf8) + [0xC1] + Array("</a>".utf8), "koi8-r", "а"),
      (
        Array("<?xml version=\"1.0\" encoding=\"windows-1251\"?><a>".utf8) + [0xC6]
          + Array("</a>".utf8), nil, "Ж"
      ),
      (
        Array("<?xml version='1.0' encoding='gb2312'?><a>".utf8) + [0xD6, 0xD0]
          + Array("</a>".utf8), nil, "中"
      ),
      (
        Array("<?xml version='1.0' encoding='no-such'?><a>".utf8) + [0xE9] + Array("</a>".utf8),
        nil, "é"
      ),
      (Array("<?xml version='1.0' encoding='utf-16'?><a>é</a>".utf8), nil, "é"),
      ("<a>é😀</a>".utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }, nil, "é😀"),
      (
        [0xFE, 0xFF]
          + "<a>é</a>".utf16.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }, nil, "é"
      ),
      (
        "<a>é</a>".unicodeScalars.flatMap { [UInt8(truncatingIfNeeded: $0.value), 0, 0, 0] }, nil,
        "é"
      ),
    ] as [([UInt8], String?, String)])
  func `Encodings are detected`(bytes: [UInt8], charset: String?, text: String) {
    #expect(document(bytes, charset: charset).roots.first { _ in true }?.text == text)
  }

  @Test(
    arguments: [
      // Windows-1255 and Big5 hold a letter back, as a mark may follow that belongs to it.
      ([0xE9], "windows-1255", "י"), ([0x88, 0x66], "big5", "\u{CA}"),
      ([0x1B, 0x24, 0x42, 0x46, 0x7C], "iso-2022-jp", "日"),
      // One that is cut.
      ([0x41, 0x82], "shift_jis", "A\u{FFFD}"),
      ([UInt8](repeating: 0xC1, count: 9000), "koi8-r", String(repeating: "а", count: 9000)),
      ([], "koi8-r", ""),
    ] as [([UInt8], String, String)])
  func `A text in another encoding is read to its end`(
    bytes: [UInt8], charset: String, text: String
  ) {
    let read = bytes.withUnsafeBytes { MarkupEncoding.utf8($0, charset: charset) }
    #expect(String(decoding: read, as: UTF8.self) == text)
  }

  @Test func `Bytes that contradict the declared encoding lead to another`() {
    let wrong = Array("<a>".utf8) + [UInt8](repeating: 0xFF, count: 5000) + Array("</a>".utf8)
    let text = document(wrong, charset: "shift_jis").roots.first { _ in true }?.text
    #expect(text == String(repeating: "ÿ", count: 5000))
  }
}
