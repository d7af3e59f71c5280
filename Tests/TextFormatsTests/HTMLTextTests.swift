import Testing

@testable import TextFormats

struct HTMLTextTests {
  @Test(arguments: [
    ("", ""),
    ("plain", "plain"),
    ("  two\n  lines ", "two lines"),
    ("<p>one</p><p>two</p>", "one\n\ntwo"),
    ("<p>one<br>two<br />three</p>", "one\ntwo\nthree"),
    ("a<br><br><br><br>b", "a\n\nb"),
    ("first<p>second<p>third", "first\n\nsecond\n\nthird"),
    ("I&#x27;m &lt;b&gt; &amp; &quot;x&quot; &amp;lt;", "I'm <b> & \"x\" &lt;"),
    ("1 < 2 && 3 > 2", "1 < 2 && 3 > 2"),
    ("<b>bold</b><i>er</i> <span> x </span>y", "bolder x y"),
    ("a<script>alert(1)</script><style>p{}</style>b", "ab"),
    (
      "<p>x</p><ul><li>one</li><li>two<ul><li>deep</li></ul></li></ul><p>y</p>",
      "x\n\n- one\n- two\n  - deep\n\ny"
    ),
    ("<ol><li><p>one</p></li><li>two<br>more</li></ol>", "1. one\n\n2. two\n  more"),
    ("<blockquote><p>a</p><p>b</p></blockquote>c", "> a\n\n> b\n\nc"),
    ("x<p><pre><code>  if a {\n\n    b\n  }\n</code></pre>y", "x\n\n  if a {\n\n    b\n  }\n\ny"),
    ("<pre>\nfirst</pre>", "first"),
    ("<p>日本語🎉 &copy; &#128512; &#xE9;</p>", "日本語🎉 © 😀 é"),
    ("<p>emoji <img alt=\":blob:\" src=\"https://x/y.png\"></p>", "emoji :blob:"),
    ("<!-- no --><p>x</p><!DOCTYPE html><?pi?>", "x"),
    ("<p>unclosed <b><i>deep", "unclosed deep"),
    ("</p></div>stray", "stray"),
    ("cells with IL6 <TNF in mice", "cells with IL6 <TNF in mice"), ("a <b and c", "a"),
    ("x <y and <z, <b and c", "x <y and <z,"),
    ("x <y and <blockquotes, <em", "x <y and <blockquotes,"),
    ("see <a href=\"https://x.exam", "see"), ("see <x-link to=\"https://x.exam", "see"),
    (
      "<jats:title>Abstract</jats:title><jats:p>First.</jats:p><jats:sec><jats:title>Aim</jats:title>"
        + "<jats:p>Of <jats:italic>all</jats:italic></jats:p></jats:sec>",
      "Abstract\n\nFirst.\n\nAim\n\nOf all"
    ),
    ("<td>a</td><td>b</td>", "a b"),
    (
      "x<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>y",
      "x\n\na b\n1 2\n\ny"
    ),
    ("<meta charset=\"windows-1251\"><p>é</p>", "é"),
    ("a\u{A0}b&nbsp;c", "a\u{A0}b\u{A0}c"),
    ("don&#146;t &#128;<br>&#x9f;", "don’t €\nŸ"),
    ("&quothello&quot &notit; &notin;", "\"hello\" ¬it; ∉"),
    ("&NotEqualTilde;&CounterClockwiseContourIntegral;&apos;&fjlig;", "≂̸∳'fj"),
    (
      "&lt;b&gt; &LT;i&GT; &amp;lt; &AMP;amp; &unknown; a&b &#1;",
      "<b> <i> &lt; &amp; &unknown; a&b"
    ),
    ("<img alt='&quot;&copy=1 &copy; &gt'>", "\"&copy=1 © >"),
  ])
  func `Markup becomes plain text`(html: String, text: String) {
    #expect(HTMLText.read(html).text == text)
  }

  @Test(arguments: [
    ("a<script>if (a<b) document.write('</p>x')</script>b", "ab"),
    ("a<STYLE>p{}</style >b<script>unclosed", "ab"),
    ("a<!-->b<!--->c<!-- - -- d --!>e<!-- > -->f<!unknown>g</3>h", "abcefgh"),
    ("<div><blockquote>a</div>b", "> a\n\nb"),
    ("a</blockquote></b>b", "ab"),
    ("a</p>b", "a\n\nb"),
    ("<h1>one<h2>two</h2>three", "one\n\ntwo\n\nthree"),
    ("<ul><li>a<li>b<ul><li>c</ul><li>d</ul>", "- a\n- b\n  - c\n- d"),
    ("<p>a<b>b<div>c", "ab\nc"),
    ("<IMG ALT=one alt=two><img alt = 'a>b' /><img alt>", "one a>b"),
    ("<img alt=\"\"\"><img alt='x", ""),
    ("1<2 <3 a<b", "1<2 <3 a"),
  ])
  func `Tags are read as browsers read them`(html: String, text: String) {
    #expect(HTMLText.read(html).text == text)
  }

  @Test(arguments: [
    ("<a title='a>b' href=\"https://x.example/?a=1&amp;b=2\">", "https://x.example/?a=1&b=2"),
    ("<A\nHREF=https://x.example/a/>", "https://x.example/a/"),
    ("<a href='https://x.example/1' href='https://x.example/2'>", "https://x.example/1"),
    ("<a/href='https://x.example/'/>", "https://x.example/"),
  ])
  func `Attributes are read as browsers read them`(html: String, link: String) {
    #expect(HTMLText.read(html + "x</a>").links == [link])
  }

  @Test(
    .timeLimit(.minutes(1)),
    arguments: [
      "<", "</", "<a ", "<a a=\"", "<!--", "<script><", "&", "<li>", "</p>", "<b>", "<qx-", "<qx ",
      "<qx =",
    ])
  func `A megabyte of the same beginning is read in one pass`(beginning: String) {
    let html = String(repeating: beginning, count: HTMLText.sizeLimit / beginning.utf8.count)
    #expect(HTMLText.read("x<p>" + html).text.hasPrefix("x"))
  }

  @Test func `Links to the web are collected once, in order`() {
    let html = """
      <a href="https://b.example/?x=1&amp;y=2">b</a> <a href="http:&#x2F;&#x2F;a.example/">a</a>
      <a href="https://b.example/?x=1&amp;y=2">b</a> <a href="javascript:alert(1)">j</a>
      <a href="mailto:x@y.example">m</a> <a>n</a> <a href="/relative">r</a> <a href="HTTPS://C.example">C</a>
      """
    #expect(
      HTMLText.read(html).links == [
        "https://b.example/?x=1&y=2", "http://a.example/", "HTTPS://C.example",
      ])
  }

  @Test func `Mastodon's hidden parts of a URL are kept, and mentions are left out`() {
    let html = """
      <p>See <a href="https://www.example.com/a/very/long/path" rel="nofollow"><span class="invisible">\
      https://www.</span><span class="ellipsis">example.com/a/very/lo</span>\
      <span class="invisible">ng/path</span></a> \
      <a href="https://m.example/tags/swift" class="mention hashtag">#<span>swift</span></a></p>
      """
    let read = HTMLText.read(html, leavingOutLinksOf: ["mention", "hashtag"])
    #expect(read.text == "See https://www.example.com/a/very/long/path #swift")
    #expect(read.links == ["https://www.example.com/a/very/long/path"])
    #expect(HTMLText.read(html).links.count == 2)
  }

  @Test func `A shortened URL is restored, and other link texts are kept`() {
    let html = """
      <a href="https://www.example.com/a/long/path">example.com/a/lo...</a> \
      <a href="https://www.example.com/">and so on...</a>
      """
    #expect(HTMLText.read(html).text == "https://www.example.com/a/long/path and so on...")
  }

  @Test func `A picture's description is a word of its own, and an emoji is not`() {
    #expect(
      HTMLText.read("<img alt='Logo of the project'>Swift<img alt='a bird'>, two").text
        == "Logo of the project Swift a bird , two")
    #expect(HTMLText.read("<b>Great</b><img alt='😀'>!").text == "Great😀!")
  }

  @Test(arguments: ["nav", "form", "fieldset", "legend", "caption", "menu", "dir", "dialog"])
  func `A block is a line of its own`(name: String) {
    #expect(
      HTMLText.read("<b>a</b><\(name)>b</\(name)>c").text.split(separator: "\n") == ["a", "b", "c"])
  }

  @Test func `Endless nesting keeps its text`() {
    let unclosed = String(repeating: "<font>word ", count: 1000)
    #expect(HTMLText.read(unclosed).text.split(separator: " ").count == 1000)
    let deep =
      String(repeating: "<div><b>", count: 10_000) + "x<script>if (a < b) {}</script><br/>y"
    #expect(HTMLText.read("before" + deep).text == "before\n\nx\ny")
    let ended =
      String(repeating: "<div>", count: 300) + "x" + String(repeating: "</div>", count: 300)
    #expect(HTMLText.read(ended + "<p>after</p>").text == "x\n\nafter")
  }

  @Test func `Endless text is cut`() {
    let wide = HTMLText.read(String(repeating: "<p>é", count: 1_000_000))
    #expect(wide.text.utf8.count <= HTMLText.sizeLimit)
    #expect(wide.text.hasPrefix("é\n\né"))
  }

  @Test func `HTML is cut between characters`() {
    for padding in 0..<4 {
      let start = String(repeating: "a", count: HTMLText.sizeLimit - 2 + padding - 2)
      for html in [start + "😀b", "<p>" + start.dropFirst(3) + "😀b"] {
        let text = HTMLText.read(html).text
        #expect(!text.unicodeScalars.contains("\u{FFFD}"))
        #expect(text.hasSuffix("a") || text.hasSuffix("😀"))
      }
    }
  }

  @Test(arguments: [
    ("<", "<"), ("<p", ""), ("<a href=", ""), ("&", "&"), ("&#", "&#"),
    ("&#x;", "&#x;"), ("&#99999999999;<p>", "\u{FFFD}"), ("]]>", "]]>"),
    ("a<b>\u{1B}[31mred", "a[31mred"),
  ])
  func `Malformed HTML is read as far as possible`(html: String, text: String) {
    #expect(HTMLText.read(html) == HTMLText(text: text))
  }

  @Test func `A zero byte does not reach the text`() {
    let text = HTMLText.read("a\u{0}b<p>c").text
    #expect(text.hasPrefix("a"))
    #expect(!text.unicodeScalars.contains("\0"))
  }
}
