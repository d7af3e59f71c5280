import Foundation
import TestSupport
import Testing

@testable import TextFormats

struct EntitiesTests {
  @Test(arguments: [
    ("", ""),
    ("no reference", "no reference"),
    ("a &amp; b &lt;c&gt; &quot;d&quot; &apos;e&apos; &#39;f&#x27;", "a & b <c> \"d\" 'e' 'f'"),
    ("&amp;lt; &amp;amp;amp;", "&lt; &amp;amp;"),
    ("&nbsp;&hellip;&eacute;&thetasym;", "\u{A0}…é\u{3D1}"),
    ("&#128512;&#x1F600;&#146;", "😀😀’"),
    ("&#0;&#xD800;&#x110000;", "\u{FFFD}\u{FFFD}\u{FFFD}"),
    ("AT&T &copy &unknown; &; &#; &#x; &# ; &&amp;&", "AT&T © &unknown; &; &#; &#x; &# ; &&&"),
    ("日本&amp;🎉", "日本&🎉"),
    ("&quot", "\""), ("say &quothi&quot;", "say &quothi\""), ("&lt b &gt", "< b >"),
    ("https://a.example/?a=1&copy=2&not1", "https://a.example/?a=1&copy=2&not1"),
    (
      "&CounterClockwiseContourIntegral; &NotEqualTilde; &fjlig; &bsol;&Tab;&NewLine;|&ngE;",
      "∳ ≂̸ fj \\\t\n|≧̸"
    ),
    ("&zwnj;&zwj;&AElig;&AElig;&hellip", "\u{200C}\u{200D}ÆÆ&hellip"),
    ("don&#146;t &#x80;&#159;&#129;", "don’t €Ÿ\u{81}"), ("&#65 &#x42", "A B"),
  ])
  func `References are decoded in one pass`(text: String, decoded: String) {
    #expect(Entities.decode(text) == decoded)
  }

  @Test func `The table is what the script generates`() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let (end, generated) = try ChildProcess.output(
      of: "/usr/bin/env", ["python3", root.appending(path: ".ci/html-names").path])
    // The build does not need Python.
    guard end == .status(0) else { return }
    let file = root.appending(path: "Sources/TextFormats/HTML/HTMLNames.swift")
    #expect(try String(contentsOf: file, encoding: .utf8) == generated)
  }

  @Test func `Every HTML name is known`() {
    let table = unsafe String(cString: HTMLNames.table.utf8Start)
    var count = 0
    for entry in table.split(whereSeparator: \.isWhitespace) {
      let parts = entry.split { $0 == ":" || $0 == "?" }
      let text = parts[1].split(separator: "+").compactMap { UInt32($0, radix: 16) }
        .compactMap(Unicode.Scalar.init).map { String($0) }.joined()
      #expect(Entities.decode("a&\(parts[0]);b") == "a\(text)b")
      #expect(
        Entities.decode("&\(parts[0]) b") == (entry.contains("?") ? text : "&\(parts[0])") + " b")
      count += 1
    }
    #expect(count == 2_125)
  }
}
