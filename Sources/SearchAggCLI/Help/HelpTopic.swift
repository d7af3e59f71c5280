internal import SearchModel
internal import SearchSources
internal import TextFormats

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

  private static var projectSettings: String {
    let names = Setting.all.filter(\.isAllowedInProject).map(\.name).inWords("and")
    return Wrapping.lines(of: names, columns: 90).joined(separator: "\n      ")
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

      Somebody else may have written ./searchagg.json, so it can set only
      \(projectSettings).
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

extension HelpTopic {
  static let jsonSourcesText = """
    SOURCES OF YOUR OWN
      A network that answers in JSON is declared in config.json of the configuration folder, or in the
      file that --config names, and is a source like the others from then on:

        { "sources": { "forum": {
            "kind": "json",
            "url": "https://forum.example/api/search?q={query}&page={page}",
            "headers": { "Authorization": "Bearer {FORUM_TOKEN}" },
            "items": "data.results",
            "fields": { "id": "id", "url": "link", "text": "body", "title": "subject",
                        "author": "user.name", "created_at": "created" }
        } } }

    THE REQUEST
      url         the address; its origin is what SEARCHAGG_FORUM_URL replaces
      method      GET, or POST (with a body or a form: POST)
      headers     their values, with credentials by the names of their variables
      body, form  a body in JSON, or the items of a form

      Placeholders:
        {query}   the query as it was typed; one of these three must stand somewhere
        {words}   its words without the # of hashtags
        {tag}     the hashtag or single word that it is; other queries are skipped
        {page}, {offset}, {limit}, {cursor}
        {since}, {until}        RFC 3339; else {since:date}, {since:epoch-seconds},
                                {since:epoch-milliseconds}
        {FORUM_TOKEN}           a credential, from the environment or credentials.json
        {{ and }}               braces
      A parameter of the address, an item of a form or a member of the body is left out where a
      placeholder in it has no value.

    THE ANSWER
      items       the path to the list of items; left out where the answer is the list
      fields      the path of each part of a post in an item: id, url, uri, title, text, author,
                  author_name, author_url, created_at, edited_at, language, links, media, likes,
                  reposts, replies, views, reply_to, repost_of, sensitive. A list of paths: the first
                  that finds something. An address may have paths in braces:
                  "https://forum.example/t/{id}".
      html        which of text and title are HTML, such as ["text"]
      dates       auto (default), epoch-seconds, epoch-milliseconds, rfc3339 or rfc822

      A path is keys and places in lists with dots between: data.results.0.user. -1 is the last
      element, \\. a dot in a key, and * each element (links and media).

    PAGES: an object "page" with
      by          page, offset, cursor or link; the placeholder says which where it is left out
      first       the number of the first page (default: 1)
      size        the posts of a page: a number, or the least and the most (default: [1, 50])
      next        by cursor: its path in the answer. By link: the path of the next page's address;
                  without it the Link header. An address on another server is not followed.
      more        the path of what says whether there are more
      pages       the path of the number of pages; total: by offset, that of the number of posts
      most        the most pages of one search (default: 20)

    OTHERS
      anonymous            true: asked without its credentials, too, where they are not set
      newest_first         true: the order is exact, so that --since can end a search early
      requests_per_minute  a pace that is kept on the declared address
      terms                whose the posts are, in a line
      servers              as for any source: see searchagg help environment
    """
}

extension HelpTopic {
  static let queriesText = """
    QUERIES
      swift concurrency    both words
      "data race"          these words side by side
      #swift               the hashtag, or the tag; a word where a network has none
      from:amy             by this author; from:@amy@a.example and from:"Jon Skeet" work, too.
                           On Bluesky amy is amy.bsky.social, on Mastodon amy of the server asked
      lang:de              in this language
      -word  -"a b"  -#c   without it; -from:amy and -lang:de as well

      Of several from: or lang: one is enough. All else is words: C++, ->, foo:bar, addresses, OR,
      AND and parentheses. A quotation mark without a second one reaches to the end. A query must
      name something to look for: one that only leaves out is skipped.

      Each network is asked for what its own search knows. The rest is judged here after the answer:
      words as whole words, in any case, in title and text; authors by their handle, with or without
      @ and server; languages by what the network says. What cannot be told, such as lang: where a
      network says no language, is said by a note of the outcome (-v, or notes in ndjson).

      --raw sends queries as they are, in each network's own syntax (X's operators, GitHub's repo:
      and label:, OR), and judges nothing here. site:superuser picks a site of Stack Exchange.

    FILTERS
      --exclude WHAT       leaves posts out; repeatable, or a list with commas:
                             spam, "a, b"        with these words, side by side
                             @amy, author:amy    by this author
                             source:reddit       of this source, which is not asked at all
      --no-reposts         without posts that only pass another one on
      --no-replies         without answers and comments
      --lang en,de         only posts that say one of these languages
      --min-likes N        only posts with so many likes or points; none said is none

      They hold for every query, and what they leave out does not count against a limit. With -v a
      line says how much that was; in ndjson "excluded" on the last line does, with a number for each
      filter given: words, authors, reposts, replies, languages, language_unknown, likes; and
      where there were any, signed_out (Bluesky) and undated (searchagg help dates). A post that
      two searches found counts twice.

    COPIES
      A post that several searches or servers found is printed once: the copy from its home server, or
      else the first one asked for. --dedupe link also joins posts, of any networks, that share their
      only link to elsewhere and at least two thirds of their words: the newest is shown, and says
      where the others are ("also on", "also" in ndjson). And it joins posts of different servers with
      the same page of their own, such as one that a feed and Mastodon's search find. Addresses are
      the same but for http or https, case of the host, a slash at the end, #fragment and utm_….
      As copies may come late, --stream then writes at the end.
    """
}
