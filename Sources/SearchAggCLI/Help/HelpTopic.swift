internal import SearchModel
internal import SearchSources

/// The pages of `searchagg help` that belong to no command.
enum HelpTopic: String, CaseIterable, Sendable {
  case exitCodes = "exit-codes"
  case environment
  case formats
  case dates
  case queries
  case jsonSources = "json-sources"

  /// What the page is about, for the list of pages.
  var summary: String {
    switch self {
    case .exitCodes: "what the exit status says"
    case .environment: "variables, addresses and credentials"
    case .formats: "how posts are printed"
    case .dates: "how dates and lengths of time are written"
    case .queries: "how queries and filters are written"
    case .jsonSources: "a source of your own, declared in the configuration file"
    }
  }

  var text: String {
    switch self {
    case .exitCodes: Self.exitCodesText
    case .environment: Self.environmentText
    case .formats: Self.formatsText
    case .dates: Self.datesText
    case .queries: Self.queriesText
    case .jsonSources: Self.jsonSourcesText
    }
  }

  private static let exitCodesText = """
    EXIT STATUS
      0    every search answered, even with no post
      1    tags: nothing was changed; run --fail-on-empty: nothing was found
      2    some searches failed, some answered (--fail-on any, the default;
           all: 0 unless all failed; none: 0); a tag that no source could be asked
           for counts as failed
      64   the command line is wrong
      65   tags.json or another input is malformed; it is left as it was
      66   an input file is missing or cannot be read, or there are no tags yet
      70   a bug in searchagg
      74   the output cannot be written
      78   a variable or configuration file is wrong

    When no search was answered (--fail-on any or all):
      77   every failure is a credential that is missing or was refused
      75   some failed for now (429, 5xx, timeout, no connection): try again later
      69   all failed for good

    On SIGINT or SIGTERM searchagg prints what has arrived and then dies by that signal: a shell
    shows 130 or 143. A second signal, 300 ms or more after the first, ends it at once. A reader
    that goes away ("| head") is 0.
    """

  /// A line for each source: its address, and the variables of its credentials.
  private static var sources: String {
    Sources.all.map { source in
      let name = source.name.rawValue
      let address = source.traits.defaultServer ?? "(no address of its own)"
      let credentials = source.traits.credentialNames.joined(separator: ", ")
      let line = "  \(padded(name, to: 17))"
      return line + (credentials.isEmpty ? address : "\(padded(address, to: 31))\(credentials)")
    }.joined(separator: "\n")
  }

  private static func padded(_ text: String, to columns: Int) -> String {
    text + String(repeating: " ", count: max(columns - text.count, 1))
  }

  private static let environmentText = """
    SOURCES
    \(sources)

    ADDRESSES
      SEARCHAGG_<SOURCE>_URL   where a source is asked instead, such as SEARCHAGG_MASTODON_URL or
                               SEARCHAGG_TWITTER_CLASSIC_URL; several servers: separated by commas
      SEARCHAGG_FEED_URL       the whole addresses of feeds (RSS, Atom, JSON Feed); {query} in one
                               stands for what is searched, else its entries are filtered by it

    CREDENTIALS
      x, youtube, tumblr and threads need theirs. The others answer without, some of them less:
      bluesky fewer pages, mastodon and misskey hashtags and single words only, github and
      stackexchange fewer requests, reddit its feed, which often refuses: it is asked only when
      it is named. Reddit asks for a user agent that names you, such as
      --user-agent 'linux:my-digest:1.0 (by /u/name)'.

      searchagg help sources says where each of them comes from, and which scopes it needs.

      They are read from the environment, or from credentials.json in the configuration folder:
      an object such as {"X_BEARER_TOKEN": "…"} in a file that only you can read (mode 0600).
      They are sent over https, or to this machine, and to nobody else.

    SETTINGS
      Every option of run has a variable: SEARCHAGG_PER_SEARCH=50 stands for --per-search 50. A
      flag beats a tag's own setting, which beats the variable, which beats ./searchagg.json,
      which beats config.json in the configuration folder. These files hold options by their
      names, and the servers of sources:

        { "jobs": 32, "sources": { "mastodon": { "servers": [
            "https://mastodon.social",
            { "url": "https://hachyderm.io", "credentials": ["HACHYDERM_TOKEN"] } ] } } }

      A source of your own is declared there, too: see searchagg help json-sources.

      ./searchagg.json cannot set sources, proxy, user-agent, cache, output, tags-file or max-wait,
      since somebody else may have written it.
      The configuration folder is $XDG_CONFIG_HOME/searchagg, as a rule ~/.config/searchagg.

    CACHE
      --cache on keeps the networks' answers in $XDG_CACHE_HOME/searchagg, as a rule
      ~/.cache/searchagg, and --cache FOLDER in another one. An answer is used again for as long as
      its network says, and after that when the network says that it is unchanged. Logins are never
      kept, no credential or address stands there, and what is damaged is dropped.

    OTHERS
      SEARCHAGG_TAGS_FILE, SEARCHAGG_CONFIG        stand for --tags-file and --config
      SEARCHAGG_NOW                                a date that the run takes for now
      http_proxy, HTTPS_PROXY, ALL_PROXY, NO_PROXY as curl reads them
      CURL_CA_BUNDLE, SSL_CERT_FILE                a file of the certificates to trust
      NO_COLOR, CLICOLOR_FORCE, TERM, COLUMNS, CI  as in other programs
    """

  private static let formatsText = """
    FORMATS
      text     For people. On a terminal: wrapped, coloured, with relative times. Elsewhere: not
               wrapped, no colour, dates in RFC 3339 and UTC.

      ndjson   For programs: one JSON object a line for each post, and a last one for the
               outcomes. Its keys, their order and their types do not change.

    A post in ndjson (what is unknown is left out, but for created_at, which is null then):
      id, source, server, url, uri, author {handle, name, url}, title, text, created_at (RFC 3339,
      UTC, milliseconds), future (true when it lies ahead), edited_at, language, tags (the queries that
      found it), links, media, counts {likes, reposts, replies, views}, reply_to, repost_of,
      reposted_by {handle, name, url} (who passed it on; author wrote it), sensitive, also
      (addresses of copies, under --dedupe link)

    The last line:
      {"outcomes": [{"tag": …, "source": …, "server": …, "outcome": …, "posts": …, "pages": …}],
       "incomplete": false}

    An outcome is completed, skipped, partial, rate_limited, failed or cancelled; where they are
    known, status, message, advice, until, broken_items and notes follow. When "incomplete" is
    true, posts may be missing, and the outcomes say where: a search did not end whole, or all
    searches of a tag were skipped. Where filters were given, "excluded"
    follows: an object with the number of posts that each left out (searchagg help queries).
    """

  private static let datesText = """
    DATES (--since, --until)
      2026-11-20                  the beginning of that day, in local time
      2026-11-20T09:00:00Z        RFC 3339, with any offset
      now                         this moment
      today, yesterday            the beginning of that day, in local time
      90m, 2h, 3d, 1w             so many minutes, hours, days or weeks ago

    --since is inclusive, and must not be in the future; --until is exclusive. Posts without a date
    are left out and counted, unless --undated keep is given. Local time is that of TZ, or else of
    the system.

    LENGTHS OF TIME (--timeout, --max-time, --max-wait)
      20, 20s, 1.5m, 500ms, 1h    a bare number counts seconds
    """
}
