import FoundationEssentials
import Printing
import SearchModel
import Testing

@Suite struct TablePrinterTests {
  private static let chosen = RecordContents(fields: FieldSelection([.authorHandle, .text, .tags]))

  @Test func `A table has a header, a row for each post and one for each search not completed`()
    throws
  {
    let printed = Samples.written(
      by: TablePrinter(.csv, Self.chosen), [try Samples.full(), try Samples.bare()],
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
        + "visibility,outcome,message,attachments,topics,feed\r\n")
  }

  private static let text = RecordContents(fields: FieldSelection([.text]))

  /// The second cell of the only post with this text.
  private func cell(
    _ text: String, _ dialect: TablePrinter.Dialect, _ cells: CellMarking = .marked
  ) throws -> String {
    var contents = Self.text
    contents.cells = cells
    let printed = Samples.written(
      by: TablePrinter(dialect, contents), [try Samples.bare(text: text)])
    let rows =
      dialect == .csv ? TableReader.rows(ofCSV: printed) : TableReader.rows(ofTSV: printed)
    return rows[1][1]
  }

  @Test(arguments: [
    "=1+1", "  =1+1", "\n=1+1", "\u{FF1D}1+1", "\u{3000}=1", "+SUM(1)", "-1+1", "+49 170 1234",
    "- item",
    "-", "+1.", "@SUM(A1)", " @CSE.FOO_1(", "'quoted", "''", "\tx", "\rx",
  ])
  func `No cell begins like a formula, and each reads back as it was`(text: String) throws {
    for dialect in [TablePrinter.Dialect.csv, .tsv] {
      #expect(try cell(text, dialect) == "'" + text)
      #expect(TableReader.unmarked(try cell(text, dialect)) == text)
      #expect(try cell(text, dialect, .raw) == text)
    }
  }

  @Test(arguments: [
    "@amy hello", "@amy (hello)", "@", "@(", "+1", "-1", "-1.5", "+1,000.25", "-3e-5", "-5%", "-5 ",
    "1=1", "a'", "\"=1\"", "…=", "\n@amy",
  ])
  func `A cell that a spreadsheet only shows is not altered`(text: String) throws {
    for dialect in [TablePrinter.Dialect.csv, .tsv] {
      #expect(try cell(text, dialect) == text)
    }
  }

  @Test func `The order of the fields is that of the columns, and these can be named`() throws {
    let fields = try FieldSelection(parsing: "likes,handle,author.url,tags,likes")
    let printed = Samples.written(
      by: TablePrinter(.csv, RecordContents(fields: fields, isPostsOnly: true)),
      [try Samples.full()], outcomes: try Samples.outcomes())
    #expect(
      printed.split(separator: "\r\n") == [
        "likes,handle,author_url,tags",
        "3,ada@mastodon.social,https://mastodon.social/@ada,\"#swiftlang\nswift\"",
      ])
  }

  @Test func `TABs, line breaks and backslashes are escaped in tsv`() throws {
    let printed = Samples.written(
      by: TablePrinter(.tsv, Self.text),
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
