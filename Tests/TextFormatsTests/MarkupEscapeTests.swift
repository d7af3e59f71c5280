import Testing
import TextFormats

@Suite struct MarkupEscapeTests {
  @Test(arguments: [
    ("'", #"&lt;a b=&quot;c&quot;&gt; &amp;amp; 'é'"#),
    ("", "&lt;a b=&quot;c&quot;&gt; &amp;amp; &#39;é&#39;"),
    ("\"'", #"&lt;a b="c"&gt; &amp;amp; 'é'"#),
  ])
  func `Characters of markup are escaped, but for those that are kept`(
    kept: String, escaped: String
  ) {
    #expect(MarkupEscape.escaped(#"<a b="c"> &amp; 'é'"#, keeping: kept) == escaped)
  }
}
