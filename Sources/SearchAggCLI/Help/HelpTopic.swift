/// The pages of `searchagg help` that belong to no command.
enum HelpTopic: String, CaseIterable, Sendable {
  case exitCodes = "exit-codes"
  case environment
  case formats
  case dates

  /// What the page is about, for the list of pages.
  var summary: String {
    switch self {
    case .exitCodes: "what the exit status says"
    case .environment: "variables, addresses and credentials"
    case .formats: "how posts are printed"
    case .dates: "how dates and lengths of time are written"
    }
  }

  var text: String {
    switch self {
    case .exitCodes: Self.exitCodesText
    case .environment: Self.environmentText
    case .formats: Self.formatsText
    case .dates: Self.datesText
    }
  }

  private static let exitCodesText = """
    EXIT STATUS
      0    every search answered, even with no post
      1    tags: nothing was changed; run --fail-on-empty: nothing was found
      2    some searches failed, some answered (--fail-on any, the default;
           all: 0 unless all failed; none: 0)
      64   the command line is wrong
      65   tags.json or another input is malformed; it is left as it was
      66   an input file is missing or cannot be read, or there are no tags yet
      70   a bug in searchagg
      74   the output cannot be written
      78   a variable or configuration file is wrong

    When no search was answered:
      77   a credential is missing or was refused, and nothing else
      75   something failed for now (429, 5xx, timeout, no connection): try later
      69   all failed for good

    Ended by SIGINT or SIGTERM, searchagg dies by that signal, after it has printed what had
    arrived: a shell shows 130 or 143.
    """

  private static let environmentText = """
    ADDRESSES
      SEARCHAGG_<SOURCE>_URL   the address of a source, such as SEARCHAGG_MASTODON_URL; dashes
                               become underscores; several servers are separated by commas

    CREDENTIALS
      X_BEARER_TOKEN                               x
      BLUESKY_IDENTIFIER, BLUESKY_APP_PASSWORD     bluesky, for more than the first pages
      MASTODON_ACCESS_TOKEN                        mastodon, for words that are no hashtag

      They are read from the environment, or from credentials.json in the configuration folder,
      an object of names and texts that nobody but you may be able to read (mode 0600). They are
      sent over https only, or to this machine.

    SETTINGS
      Every option of run has a variable: SEARCHAGG_PER_SEARCH=50 stands for --per-search 50. A
      flag goes before a tag's own setting, that before the variable, and that before the
      configuration file: ./searchagg.json, then $XDG_CONFIG_HOME/searchagg/config.json, an
      object of options' names and values, and "sources":

        { "jobs": 32, "sources": { "mastodon": { "servers": [
            "https://mastodon.social",
            { "url": "https://hachyderm.io", "credentials": ["HACHYDERM_TOKEN"] } ] } } }

      A file in the current folder sets no addresses, proxy or output.

    OTHERS
      SEARCHAGG_TAGS_FILE, SEARCHAGG_CONFIG        as --tags-file and --config
      SEARCHAGG_NOW                                the run's now, instead of the clock
      http_proxy, HTTPS_PROXY, ALL_PROXY, NO_PROXY as curl reads them
      CURL_CA_BUNDLE, SSL_CERT_FILE                the certificates to trust
      NO_COLOR, CLICOLOR_FORCE, TERM, COLUMNS, CI  as everywhere
    """

  private static let formatsText = """
    FORMATS
      text     For people. On a terminal: wrapped, coloured, with relative times. Elsewhere: no
               colour, dates in RFC 3339 and UTC.

      ndjson   For programs: one post a line, and one last line with the outcomes.

    A post in ndjson (a key that has no value is left out, but for created_at):
      id, source, server, url, uri, author {handle, name, url}, title, text, created_at (RFC 3339,
      UTC, milliseconds; null when unknown), future, edited_at, language, tags (the queries that
      found it), links, media, counts {likes, reposts, replies, views}, reply_to, repost_of,
      sensitive

    The last line:
      {"outcomes": [{"tag": …, "source": …, "server": …, "outcome": …}], "incomplete": false}

    Outcomes: completed, skipped, partial, rate_limited, failed, cancelled. When "incomplete" is
    true, posts may be missing, and the outcomes say where.
    """

  private static let datesText = """
    DATES (--since, --until)
      2026-11-20                  that day's midnight, here
      2026-11-20T09:00:00Z        RFC 3339, with any offset
      now, today, yesterday       the moment, and the midnights before, here
      90m, 2h, 3d, 1w             that long ago

    --since is inclusive, --until exclusive. Posts without a date are kept.

    LENGTHS OF TIME (--timeout, --max-time)
      20, 20s, 1.5m, 500ms, 1h    a bare number counts seconds
    """
}
