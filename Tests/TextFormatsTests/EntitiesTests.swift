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
    ("AT&T &copy &unknown; &; &#; &#x; &# ; &&amp;&", "AT&T &copy &unknown; &; &#; &#x; &# ; &&&"),
    ("日本&amp;🎉", "日本&🎉"),
  ])
  func `References are decoded in one pass`(text: String, decoded: String) {
    #expect(Entities.decode(text) == decoded)
  }
}
