internal import Printing
internal import SearchModel

extension HelpTopic {
  static let formatsText = """
    FORMATS (--format)
    \(formatList)

      Where nothing sets the format, the name of the output file does: `-o posts.csv`, and .tsv, .html, .json, .ndjson, .jsonl, .md and .atom.

      Each format tells its reader when posts are missing, and why: text on standard error, github by annotations, all others in the output itself. github writes the posts to the file that GITHUB_STEP_SUMMARY names.

      On a terminal, text is wrapped and colored, with relative times. It shows the newest 50 posts and the first lines of each, through a pager if they do not fit the screen; --all, --full and --no-pager change that. Elsewhere nothing is cut, and dates are in RFC 3339 and UTC.

    FIELDS OF A POST (--fields, --template)
      Fields without a value are left out, except created_at, which is null. Dates are RFC 3339 in UTC, with milliseconds. In JSON, author.handle is the key handle of the object author.

    \(fieldList)

      --fields chooses fields of json, ndjson, csv and tsv, or all of an object, in the order given: `--fields id,author,likes`. In csv and tsv the columns of objects have shorter names, such as handle and likes; --fields knows them, too. --posts-only leaves out the outcomes: the columns record, outcome and message, the last line of ndjson, and all of json but "posts". Standard error still has them. `searchagg help schema` prints a JSON Schema of json and ndjson.

      In csv and tsv, a cell that a spreadsheet would read as a formula gets a leading apostrophe: one that begins with =, with a TAB, with a function such as @SUM(, or with + or - unless it is a number. A cell that already begins with an apostrophe gets another one, so that removing one from each such cell restores the text. `--cells raw` adds none. In tsv a TAB, a line break and a backslash are written as \\t, \\n and \\\\.

    TEMPLATES (--template)
      {{author.handle}}          The value of a field.
      {{#tags}}{{.}} {{/tags}}   Once for each value of a list; for any other field, once if it has a value.
      {{^title}}-{{/title}}      Once if the field has no value.

    OUTCOMES
      The last line of ndjson, and the end of json, say how each search ended:

        {"outcomes": [{"tag": …, "source": …, "server": …, "outcome": …,
          "posts": …, "pages": …}], "incomplete": false}

      An outcome is completed, skipped, partial, rate_limited, failed or cancelled; status, message, advice, until, broken_items and notes follow where they are known; posts and pages are left out with -n, where they depend on timing. When "incomplete" is true, posts may be missing, and the outcomes say where: a search did not finish, or all searches of a tag were skipped. With filters, "excluded" follows: the number of posts that each of them left out (see `searchagg help queries`).

      With --expect-within and --alert-over, "alerts" follows where there are any: {"tag": …, "kind": "silent", "since": …} for a tag without a post since then, {"tag": …, "kind": "spike", "rate": …, "usual": …} for one with that many posts in the last hour. In all formats, standard error has a line for each.

      Where `searchagg history` prints only the newest posts that match, "total" is the number of all matching posts.

      The keys, their order and their types do not change.

    COUNTS (--count-by)
      By network, author, tag, day, hour or language, or by two of these: `--count-by day,tag`. Days and hours are in UTC.
    """

  private static var formatList: String {
    table(OutputFormat.allCases.map { ($0.rawValue, $0.summary) }, columns: 14)
  }

  private static var fieldList: String {
    table(
      PostField.printed.map(\.description)
        .map { ($0.path, "\($0.summary) (\($0.kind.rawValue))") }, columns: 26)
  }
}
