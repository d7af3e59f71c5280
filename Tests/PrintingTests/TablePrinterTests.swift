import FoundationEssentials
import Printing
import SearchModel
import Testing

@Suite struct TablePrinterTests {
  private static let chosen = FieldSelection([.authorHandle, .text, .tags])

  @Test func `A table has a header, a row for each post and one for each search not completed`()
    throws
  {
    let printed = Samples.written(
      by: TablePrinter(.csv, fields: Self.chosen), [try Samples.full(), try Samples.bare()],
      outcomes: try Samples.outcomes())
    let expected: [Substring] = [
      "record,handle,text,tags,outcome,message",
      "post,ada@mastodon.social,\"First line about #swiftlang.\nSecond \"\"line\"\".\","
        + "\"#swiftlang\nswift\",,",
      "post,,Just text.,,,",
      "outcome,,,#a,skipped,skipped: needs a credential",
      "outcome,,,#b,partial,incomplete: 2 items could not be read: page 2 is missing: "
        + "answered 500: try again later",
      "outcome,,,#c,rate_limited,rate limited until 2026-11-20T12:01:30Z: "
        + "the quota is spent (403): set GITHUB_TOKEN",
      "outcome,,,#d,failed,bad query (400)",
      "outcome,,,#e,cancelled,canceled",
    ]
    #expect(printed.split(separator: "\r\n") == expected)
  }

  @Test func `The first columns are those that people look for`() {
    let header = Samples.written(by: TablePrinter(.csv), [])
    #expect(
      header
        == "record,created_at,source,server,handle,title,text,url,tags,id,uri,name,author_url,"
        + "future,edited_at,language,links,media,likes,reposts,replies,views,reply_to,repost_of,"
        + "reposted_by,reposted_by_name,reposted_by_url,sensitive,content_warning,poll,also,"
        + "visibility,outcome,message\r\n")
  }

  @Test(arguments: ["=1+1", "+1", "-1", "@SUM(A1)", "'quoted", "\tx", "\rx"])
  func `No cell begins like a formula, and each reads back as it was`(text: String) throws {
    for dialect in [TablePrinter.Dialect.csv, .tsv] {
      let printed = Samples.written(
        by: TablePrinter(dialect, fields: FieldSelection([.text])), [try Samples.bare(text: text)])
      let rows =
        dialect == .csv
        ? TableReader.rows(ofCSV: printed) : TableReader.rows(ofTSV: printed)
      #expect(rows[1][1] == "'" + text)
      #expect(TableReader.unmarked(rows[1][1]) == text)
    }
  }

  @Test func `TABs, line breaks and backslashes are escaped in tsv`() throws {
    let printed = Samples.written(
      by: TablePrinter(.tsv, fields: FieldSelection([.text])),
      [try Samples.bare(text: "a\tb\r\nc\\n")])
    #expect(printed == "record\ttext\toutcome\tmessage\npost\ta\\tb\\r\\nc\\\\n\t\t\n")
  }

  @Test func `Hostile text leaves no control code in a table`() throws {
    for dialect in [TablePrinter.Dialect.csv, .tsv] {
      let printed = Samples.written(
        by: TablePrinter(dialect), [try Samples.hostile()], outcomes: try Samples.outcomes())
      for scalar in printed.unicodeScalars where !["\t", "\r", "\n"].contains(scalar) {
        #expect(scalar.properties.generalCategory != .control)
        #expect(!scalar.properties.isBidiControl)
      }
    }
  }

  @Test func `A line of plain holds a post, and one follows for each search not completed`() throws
  {
    let printed = Samples.written(
      by: PlainPrinter(), [try Samples.full(), try Samples.bare(text: "a\tb\nc\\")],
      outcomes: Array(try Samples.outcomes().suffix(2)))
    #expect(
      printed == """
        2026-11-20T11:55:00.000Z\tmastodon\tada@mastodon.social\t#swiftlang, swift\tOn engines\t\
        First line about #swiftlang.\\nSecond "line".\thttps://mastodon.social/@ada/1
        undated\thackernews\t\t\t\ta\\tb\\nc\\\\\t
        failed\tbluesky\t\t#d\tbad query (400)
        cancelled\tlemmy\t\t#e\tcanceled

        """)
  }
}
