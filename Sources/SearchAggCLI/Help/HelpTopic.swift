internal import Printing
internal import SearchModel
internal import SearchSources

/// The pages of `searchagg help` that belong to no command, in the form that `HelpPage` reads.
enum HelpTopic: String, CaseIterable, Sendable {
  case exitCodes = "exit-codes"
  case environment
  case config
  case formats
  case schema
  case dates
  case queries
  case notifications
  case shards
  case state
  case jsonSources = "json-sources"
  case recipes

  /// The subject of the page, for the list of pages.
  var summary: String {
    switch self {
    case .exitCodes: "the exit statuses and their meaning"
    case .environment: "variables, addresses and credentials"
    case .config: "configuration files and their settings"
    case .formats: "output formats and their fields"
    case .schema: "the JSON Schema of json and ndjson"
    case .dates: "how to write dates and lengths of time"
    case .queries: "how to write queries and filters"
    case .notifications: "how to follow tags, and pass new posts on"
    case .shards: "how to divide a run among several machines"
    case .state: "one state for several machines, in PostgreSQL"
    case .jsonSources: "a source of your own, declared in the configuration file"
    case .recipes: "commands for common tasks"
    }
  }

  var text: String {
    switch self {
    case .exitCodes: Self.exitCodesText
    case .environment: Self.environmentText
    case .config: Self.configText
    case .formats: Self.formatsText
    case .schema: PostSchema.text
    case .dates: Self.datesText
    case .queries: Self.queriesText
    case .notifications: Self.notificationsText
    case .shards: Self.shardsText
    case .state: Self.stateText
    case .jsonSources: Self.jsonSourcesText
    case .recipes: Self.recipesText
    }
  }

  /// Lines `  label    text`, the texts in one column.
  private static func table(_ rows: [(label: String, text: String)], columns: Int) -> String {
    rows.map { label, text in
      let gap = max(columns - label.count - 2, 3)
      return "  \(label)\(String(repeating: " ", count: gap))\(text)"
    }.joined(separator: "\n")
  }

  private static let exitCodesText = """
    EXIT STATUS
      0      Every search was answered, even if no post was found.
      1      tags, mute, unmute, sources, auth remove, state forget, history delete, undelivered: nothing was changed. history show: no post has this name. run --fail-on-empty: nothing was found.
      2      Some searches failed and some were answered (--fail-on any, the default; with all: 0 unless all failed; with none: always 0). A tag that no source could be asked for counts as failed; with any, so does a tag whose last post is older than --expect-within allows.
      64     The command line is wrong.
      65     tags.json or another input file is malformed; it was left unchanged.
      66     An input file is missing or cannot be read, or there are no tags yet.
      70     A bug in searchagg.
      74     The output cannot be written.
      78     A variable or a configuration file is wrong.

    When no search was answered (--fail-on any or all):

      77     Every failure is a missing or refused credential.
      75     Some failures are temporary (429, 5xx, timeout, no connection), or another run was printing new posts: try again later.
      69     All failures are permanent.

    On SIGINT or SIGTERM, and on SIGHUP except in a watch, searchagg prints what has arrived and then dies by that signal; a shell shows 130, 143 or 129. A second signal, at least 300 ms after the first, ends it at once. If the reader of the output goes away, as in `| head`, the status is 0.
    """

  /// A line for each source: its address, and the variables of its credentials.
  private static var sources: String {
    let rows = Sources.all.map { source in
      let address = source.traits.defaultServer ?? "(no default address)"
      let credentials = source.traits.credentialNames.joined(separator: ", ")
      return (
        label: source.name.rawValue,
        text: credentials.isEmpty ? address : "\(address) (\(credentials))"
      )
    }
    return table(rows, columns: 20)
  }

  private static let environmentText = """
    SOURCES
      Each source with its default address and the variables of its credentials:

    \(sources)

    ADDRESSES
      SEARCHAGG_<SOURCE>_URL   Another address of a source, such as SEARCHAGG_MASTODON_URL or SEARCHAGG_TWITTER_CLASSIC_URL; separate several servers by commas.
      SEARCHAGG_FEED_URL       The complete addresses of feeds (RSS, Atom, JSON Feed). {query} in an address is replaced by the query; without it, the entries of the feed are filtered by the query.

    CREDENTIALS
      x, youtube, tumblr and threads need credentials. The other sources work without them, but some do less: bluesky returns fewer pages; mastodon and misskey search only hashtags and single words; github and stackexchange allow fewer requests; reddit offers only its feed, which it often refuses, so it is asked only when it is named. Reddit also wants a user agent that names you, such as `--user-agent 'linux:my-digest:1.0 (by /u/name)'`.

      See `searchagg help sources` for where to get each credential and which permissions it needs.

      Credentials are read from the environment, or from credentials.json in the configuration folder: an object such as `{"X_BEARER_TOKEN": "…"}` in a file that only you can read (mode 0600). They are sent over https or to this machine only, and only to their own server.

    SETTINGS
      Nearly every option of `searchagg run` has a variable: SEARCHAGG_PER_SEARCH=50 is the same as `--per-search 50`. See `searchagg help config` for the order of precedence.

    CACHE
      `--cache on` keeps the networks' responses in $XDG_CACHE_HOME/searchagg, by default ~/.cache/searchagg; `--cache FOLDER` keeps them in another folder. A response is used again for as long as its network allows, and after that if the network says that it has not changed. Logins and responses that repeat a credential are never kept, the cache contains no credential or address, and damaged entries are dropped.

      On a terminal, `--refresh` prints what the cache has at once, and prints again when the networks have answered, with new posts marked. `--offline` asks no network: each search is answered by the cache, or else by the history, with a note such as "from cache, 3 h old".

    OTHER VARIABLES
      SEARCHAGG_TAGS_FILE        The file of the tags, like --tags-file.
      SEARCHAGG_CONFIG           The configuration file, like --config.
      SEARCHAGG_NOW              Overrides the current time, for reproducible runs.
      http_proxy, HTTPS_PROXY, ALL_PROXY, NO_PROXY   As in curl.
      CURL_CA_BUNDLE, SSL_CERT_FILE   The file of the certificates to trust.
      SEARCHAGG_PAGER, PAGER     The pager; cat turns it off.
      NO_COLOR, CLICOLOR_FORCE, TERM, COLUMNS, CI   As in other programs.
    """

  private static var configText: String {
    let rows = Setting.all.filter { $0.places.contains(.file) }.map { setting in
      (
        label: setting.isAllowedInProject ? "\(setting.name) *" : setting.name,
        text: setting.helpWithStandard
      )
    }
    return """
      CONFIGURATION FILES
        A setting is taken from the first of these that has it: the option, the tag's own setting, the variable, ./searchagg.json, config.json in the configuration folder ($XDG_CONFIG_HOME/searchagg, by default ~/.config/searchagg). `--config FILE` replaces both files.

        A file is an object of settings and sources:

          {
            "jobs": 32,
            "max-cost": "x=100",
            "sources": { "mastodon": { "servers": [
              "https://mastodon.social",
              { "url": "https://hachyderm.io", "credentials": ["HACHYDERM_TOKEN"] }
            ] } }
          }

        See `searchagg help json-sources` for declaring a source of your own.

        Somebody else may have written ./searchagg.json, so it can only set the settings marked with * below, and no sources.

        `searchagg config show` prints each setting, its value and where it was set; `searchagg config check` looks for mistakes; `searchagg config path` prints the path of your own file.

      SETTINGS
      \(table(rows, columns: 20))
      """
  }

  private static var formatList: String {
    table(OutputFormat.allCases.map { ($0.rawValue, $0.summary) }, columns: 14)
  }

  private static var fieldList: String {
    table(
      PostField.printed.map(\.description)
        .map { ($0.path, "\($0.summary) (\($0.kind.rawValue))") }, columns: 26)
  }

  private static let declaredFields = PostField.declared.map(\.description.declaredName)
    .joined(separator: ", ")

  private static let formatsText = """
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
      {{^title}}-{{/title}}      If the field has no value.

    OUTCOMES
      The last line of ndjson, and the end of json, say how each search ended:

        {"outcomes": [{"tag": …, "source": …, "server": …, "outcome": …,
          "posts": …, "pages": …}], "incomplete": false}

      An outcome is completed, skipped, partial, rate_limited, failed or cancelled; status, message, advice, until, broken_items and notes follow where they are known; posts and pages are left out with -n, where they depend on timing. When "incomplete" is true, posts may be missing, and the outcomes say where: a search did not finish, or all searches of a tag were skipped. With filters, "excluded" follows: the number of posts that each of them left out (see `searchagg help queries`).

      With --expect-within and --alert-over, "alerts" follows where there are any: {"tag": …, "kind": "silent", "since": …} for a tag without a post since then, {"tag": …, "kind": "spike", "rate": …, "usual": …} for one with that many posts in the last hour. In all formats, standard error has a line for each.

      Where `searchagg history` prints only the newest posts that match, "total" is the number of all.

      The keys, their order and their types do not change.

    COUNTS (--count-by)
      By network, author, tag, day, hour or language, or by two of these: `--count-by day,tag`. Days and hours are those of UTC.
    """

  private static let datesText = """
    DATES (--since, --until)
      2026-11-20             The beginning of that day, in local time.
      2026-11                The beginning of that month, in local time.
      2026-11-20T09:00       That time, in local time; 2026-11-20 09:00 is the same.
      2026-11-20T09:00:00Z   RFC 3339, with any offset.
      now                    This moment.
      today, yesterday       The beginning of that day, in local time; yesterday 09:00 is that time.
      09:00                  The latest such time that is not in the future.
      last monday            The beginning of the last Monday before today.
      last week              One week ago; last month is one month ago.
      90m, 2h, 3d, 1w        Minutes, hours, days or weeks ago.
      1month, 1y             Months or years ago, by the calendar; m alone is minutes.
      3 days ago, 3days      The same in words.

      --since is inclusive and cannot be in the future; --until is exclusive. Posts without a date are left out and counted, unless `--undated keep` is given. Local time is the zone of TZ, or of the system.

    LENGTHS OF TIME (--timeout, --max-time, --max-wait)
      20, 20s, 1.5m, 500ms, 1h   A number without a unit is in seconds.

    AGES (--expect-within, history prune --older)
      12h, 2d, 1w   Hours, days or weeks.
    """

  private static let queriesText = """
    QUERIES
      swift concurrency    Both words.
      "data race"          These words side by side.
      #swift               The hashtag or tag; a word where a network has none.
      from:amy             By this author; from:@amy@a.example and from:"Jon Skeet" work, too. On Bluesky, amy is amy.bsky.social; on Mastodon, amy on the server asked.
      lang:de              In this language.
      -word, -"a b", -#c   Without it; -from:amy and -lang:de work, too.

      Several from: or lang: terms are alternatives. Everything else is a word: C++, ->, foo:bar, addresses, OR, AND and parentheses. An unclosed quotation mark extends to the end of the query. A query must name something to look for; one that only excludes is refused or skipped.

      Each network is asked for as much of the query as its search supports. The rest is checked here, in the response: words as whole words, in any case, in title and text, with or without marks on Latin letters (cafe finds café), whichever apostrophe or hyphen is used; authors by their handle, with or without @ and server; languages by what the network reports, where Norwegian (no) includes Bokmål (nb) and Nynorsk (nn), and Filipino (fil) and Tagalog (tl) are one. A network's own search may be stricter: Lemmy, Misskey and GoToSocial compare letters as they are written, so that cafe does not find café there. Mastodon without full-text search, and Takahē, find no words at all; hashtags are read from their timelines. What cannot be checked, such as lang: on a network that reports no language, is mentioned in a note of the outcome (-v, or notes in ndjson). A note of a search that printed no post is always printed; in runs that print new posts only, the first time that they ask it.

      --raw sends queries unchanged, in each network's own syntax (X's operators, GitHub's repo: and label:, OR), and checks nothing here. site:superuser selects a site of Stack Exchange.

    FILTERS
      --exclude WHAT       Leaves out posts; repeatable, or a list with commas:
          spam, "a, b"        with these words side by side
          @amy, author:amy    by this author
          source:reddit       from this source, which is not asked at all
        What the variable and the configuration leave out stays left out.
      --no-reposts         Leaves out reposts.
      --no-replies         Leaves out replies and comments.
      --lang en,de         Keeps only posts in one of these languages.
      --min-likes N        Keeps only posts with at least N likes or points; an unknown count is 0.
      --include-private    Also takes posts that are not for everyone (see below).
      --include-muted      Also takes posts by authors that `searchagg mute @amy` has muted.

      Filters apply to every query, and the posts they leave out do not count against a limit. With -v, a line says how many there were; in ndjson, "excluded" on the last line does, with a number for each filter given: words, authors, reposts, replies, languages, language_unknown, likes; and, where there were any, private, signed_out (Bluesky) and undated (see `searchagg help dates`). A post that two searches found counts twice.

    PRIVATE POSTS
      With your token, a network may also find posts that only you and a few others can see: on Mastodon your direct messages and followers-only posts. Only public and unlisted posts are printed, kept, streamed and passed on; a post whose visibility searchagg does not know counts as private. --include-private takes them all. Without it, posts that an earlier run kept with it are left out of `searchagg history` and --offline, too. A recording (--record) holds responses as they came, and a line says when private posts are among them.

    COPIES
      A post that several searches or servers found is printed once: the copy from its home server, or else the first one asked for. `--dedupe link` also merges posts, from any networks, that share their only outside link and at least two thirds of their words: the newest is shown and says where the others are ("also on", "also" in ndjson). It also merges posts from different servers with the same page, such as one that both a feed and Mastodon's search found. Addresses are the same if they differ only in http or https, the case of the host, a slash at the end, #fragment and utm_…. As copies may arrive late, --stream then prints at the end.
    """

  private static let notificationsText = """
    FOLLOWING TAGS (searchagg watch)
      A watch asks each search again and again. --every is the interval (default: 5m). After the first day it is longer where nothing happens, unless --exactly is given: a tenth of the age of the newest post, up to 12 times --every or an hour. It is also longer where a network allows fewer requests, and where a server asks for a pause. A remote server gets the same search at most once a minute. -v shows the interval of each search.

      The servers do not wait for one another: the posts of each are printed and passed on as soon as all its searches that were due are answered, from the oldest to the newest. A server that does not answer is asked for one search at a time, until it does.

      Bounds on cost (--max-cost) hold for 24 hours, also when the watch is started again. --for ends the watch after that time, with the exit status of its latest results. SIGINT and SIGTERM end it as they end a run. SIGHUP makes it read the tags and the configuration again, or ends it if a standard stream is a terminal.

    WHAT COUNTS AS NEW (--new, searchagg watch)
      The first run of a search prints a sample. From then on a post is new if it was written after that run began, or so shortly before that it may have arrived late, and if no run has printed it. Posts that the first run of a search has read are never new to that search, printed or not; they may be new to another one. --from-now prints no sample either. --new-all prints everything there is.

      What --per-search or -n leaves out of a later run is printed by the next ones; what lies beyond --max-pages is not. Where a bound on costs or a fault of the server ends a later run of a search early, it ends with status 2, and the next runs read the rest; what they cannot read either is given up after two days. Where a search ends before it meets a post of earlier runs, or a page brings nothing although others follow, the next run reads it again. A filter (--lang, --exclude, …) can be changed: a run with another one reads again what it has not seen.

      Mastodon, GoToSocial, Misskey, Lemmy and Bluesky list some posts hours after they were written, and feeds and web search do so, too. Once a day a search there reads back over everything that can have arrived since, for up to 24 hours of delay and at most 10 pages. Posts that arrive later than that, or deeper, are not found. On other networks, a post that appears below posts already known is not found either.

    FIRST RUNS
      The first run of a search passes nothing on to --exec and --notify, and says so, unless --notify-first is given.

    A COMMAND (--exec)
      With `run --new` and `watch`, /bin/sh runs the command once for each batch of new posts. It reads them as ndjson from standard input, the oldest first. Its output goes to standard error. It does not see the variables of credentials, nor the password of a database that keeps the state, and after 60 s it is killed with everything that it has started.

    CHANNELS (--notify)
      A channel is declared in config.json in the configuration folder, or in the file that --config names, never in a file of the current folder:

        { "channels": {
            "team": { "kind": "slack", "url": "{TEAM_WEBHOOK}" },
            "room": { "kind": "matrix",
              "url": "https://matrix.org/_matrix/client/v3/rooms/!id:matrix.org/send/m.room.message",
              "headers": { "Authorization": "Bearer {MATRIX_TOKEN}" } }
        } }

      kind      slack, discord or matrix; ntfy, with the address of a topic; json, for a server that takes a POST of {"posts": […]}.
      url       The address: https, or http to this machine.
      headers   Further headers.

      {NAME} is a credential, from the environment or credentials.json (`searchagg auth set NAME`). `searchagg notify test NAME` sends one message. Posts are sent as plain text that mentions nobody, in messages of the length and at the pace that the service allows. Redirects are not followed.

    WHEN IT FAILS
      New posts are kept in the state until they are delivered, so that each is passed on at least once, and in order, even if searchagg is killed. A batch that fails is tried again at the next run, or the next round of a watch, five times, with growing waits. Then it is written to the folder undelivered beside the state, and the next batch follows. A post that a channel refuses while it takes others is written there by itself; for the first two days, an attempt that meets a rate limit is not counted. While a batch waits for its next attempt, the run says so. Receivers do not wait for one another, and a watch goes on searching meanwhile. --max-time also bounds how long a run passes posts on (at least one second); the next run sends what is left. A run in which something could not be passed on ends with status 2, unless `--fail-on none` is given.

      A batch is kept for the exact text of its command, or for the name of its channel. After these have changed, no run delivers it: after an hour runs name such batches in one line, and after a week they are written to the folder undelivered. `searchagg undelivered list` shows batches and files, `searchagg undelivered send ID --exec COMMAND` (or --notify NAME) passes one on, and `searchagg undelivered drop ID` deletes it.
    """

  private static let jsonSourcesText = """
    CUSTOM SOURCES
      A network that answers in JSON is declared in config.json in the configuration folder, or in the file that --config names. From then on it is a source like the others:

        { "sources": { "forum": {
            "kind": "json",
            "url": "https://forum.example/api/search?q={query}&page={page}",
            "headers": { "Authorization": "Bearer {FORUM_TOKEN}" },
            "items": "data.results",
            "fields": { "id": "id", "url": "link", "text": "body",
              "title": "subject", "author": "user.name",
              "created_at": "created" }
        } } }

    REQUEST
      kind         json, or feed for a network that answers with a feed, which has no items and fields, but error_entry, the beginning of the address of entries that state an error, and versions, the letters before the number of a revised entry's version.
      url          The address; SEARCHAGG_FORUM_URL replaces its origin. One that begins with {server} has no origin of its own.
      method       GET, or POST (the default with a body or a form).
      headers      Header values; credentials by the names of their variables.
      body, form   A body in JSON, or the items of a form.

      Placeholders:

      {query}        The words and phrases of the query, without any syntax; one of {query}, {words}, {terms} and {tag} is required.
      {words}        Its words, without the # of hashtags.
      {terms}        The query in the network's own syntax.
      {tag}          The hashtag or single word that the query consists of, {tag:lower} in lower case; other queries are skipped.
      {author}       The one author of the query; {lang} its language, if it is one of languages.
      {page}, {offset}, {limit}, {cursor}   For paging; {page:later} has no value on the first page.
      {since}, {until}                      RFC 3339; or {since:date}, {since:epoch-seconds}, {since:epoch-milliseconds}, or a pattern: {since:YYYYMMDDhhmmss}.
      {since:date|1000-01-01}               A text in place of a missing value.
      {?…}           An optional part: left out unless one of its placeholders has a value, and the others a value or such a text.
      {&, }          A text between two parts that are both there.
      {FORUM_TOKEN}  A credential, from the environment or credentials.json.
      {{ and }}      Braces.

      A parameter of the address, an item of a form or a member of the body is left out if a placeholder in it has no value.

    RESPONSE
      items    The path to the list of items; leave it out if the response is the list.
      items_optional   true: a response without that list has no posts.
      skip     Paths; an item that has a value at one of them is skipped.
      fields   The path of each part of a post in an item: \(declaredFields). In a list of paths, the first that finds something counts. An address may contain paths in braces: "https://forum.example/t/{id}"; in {id:path} slashes stay. {"each": LIST, "text": PATHS, "join": ", "} takes something of each element.
      html     Which of text, title, author_name and topics are HTML, such as ["text"]; entities: which have entities only.
      dates    auto (default), epoch-seconds, epoch-milliseconds, rfc3339, rfc822 or a pattern such as YYYYMMDDThhmmssZ.
      errors   A list of what responses mean: {"status": 404, "means": "none"}, {"path": "error.code", "is": "ratelimited", "means": "later"}, {"body": "Too many", "means": "later"}. "is" takes true, false and numbers, too, a list of values, and "internal_*" for all that begin like it; "body" matches the beginning of the response, "contains" any part of it. It can mean none (no posts), end (no page), partial (posts are missing), later, temporary, credential or error. "wait_seconds" is the wait of later where the response names none, and "note" a line for the user.

      A path is keys and positions in lists with dots between: data.results.0.user. -1 is the last element, \\. a dot in a key, and * each element (topics, links, media and poll).

    PAGES (an object "page")
      by       page, offset, cursor or link; by default, the placeholder decides.
      first    The number of the first page (default: 1).
      size     The posts per page: a number, or the least and the most (default: [1, 50]).
      next     With cursor: its path in the response. With link: the path of the next page's address, by default the Link header. An address on another server is not followed; one with the same path is asked for on the declared server.
      more     The path of the value that says whether there are more pages.
      pages    The path of the number of pages; pages_field: the header field with it; total: the path of the number of posts; total_field: the header field with it. A response that names a next page, or says that there is more, is followed although it is empty.
      filtered true: the network filters posts after paging, so that fewer are shown than "total" counts. Otherwise a search that ends before that number is incomplete.
      aligned  true: pages begin only at multiples of their size, also after one with fewer posts.
      most     The most pages of a search (default: --max-pages). ceiling: the most posts that the network returns. beyond: the reason to give when it is reached.
      start    The value of {cursor} on the first page.

    OTHER KEYS
      anonymous             true: also searched without credentials when none are set.
      syntax                Of {terms}: {"phrases": true, "quote_words": true, "exclude": "-", "tag": "#", "author": "from:", "word": "all:", "join": " AND ", "plain": "+'", "plain_first": "@", "blanks": "?", "operators": ["or"]}: words with other signs are quoted, or all with quote_words; those in blanks become blanks even there.
      match                 trusted (default): words are not checked here; words: they are checked here as well; any: several are, as the network takes any of them; whole: the network finds parts of words; longest: only the longest word is sent; phrase: of several words, as the network takes them for a phrase. Phrases, excluded words and authors are checked here unless syntax or a placeholder says how the network takes them.
      match_authors         true: words that are checked here may also be in the name of the author.
      author_signs          The punctuation that names of authors may have, such as "_-"; anything but @ by default.
      languages, language   The values of {lang}, and the usual one.
      newest_first          true: the order is exact, so that --since can end a search early; "roughly": with exceptions, such as backdated posts.
      excerpts              true: texts are excerpts.
      late_hours            The hours within which a post may become findable behind others. From 2 on, --new reads back that far, as often as that and at least once a day (default: 1, which is not read back).
      requests_per_minute   The pace that is kept on the declared address; or "pace": {"requests": 1, "seconds": 3, "connections": 1}.
      terms                 Who owns the posts, in one line.
      about                 Facts for readers: title, what, documentation, terms, limits, checked, unsure, lost.
      servers               As for any source: see `searchagg help config`.
    """

  private static let shardsText = """
    One machine is enough for most uses. For thousands of feeds or servers, run parts of the plan on several machines and join their outputs:

      searchagg run --shard 1/3 --format ndjson -o 1.ndjson
      searchagg run --shard 2/3 --format ndjson -o 2.ndjson
      searchagg run --shard 3/3 --format ndjson -o 3.ndjson
      searchagg merge 1.ndjson 2.ndjson 3.ndjson

    All parts take the same tags and options. What merge prints, and its exit status, are those of one run; it takes the options for output, such as --format and -n. A part that is missing or cut off is named, and the status is then 2. To join copies, give --dedupe link to merge. text, plain, json, ndjson, csv and tsv are printed while the parts are read, so that parts of any size merge in little memory. Other formats, --sort, --count-by and --dedupe link hold all posts at once, about 1 KB each.

    Adding machines does not raise a network's limits. A source on a server belongs to one part as a whole, so that its pace and its cost hold without any coordination: ten parts ask a single server no faster than one. The part follows from the name alone, such as mastodon https://mastodon.social: the first eight bytes of its SHA-256, as a big-endian number, modulo the number of parts, plus 1.

      searchagg run --shard 1/3 --dry-run > /dev/null    how much each part has to do

    A part without any server says so and ends with 0. Files for GitHub Actions, Kubernetes and Slurm are in docs/shards of the repository.
    """

  private static let stateText = """
    One file, history.db, holds what a machine has fetched and printed, and is enough for most. Machines that are to share this (a watch that moves from one to another, a history that a team searches) keep it in a PostgreSQL database instead, of version 13 or later:

      createdb --encoding UTF8 searchagg
      searchagg state init --state postgresql://db.example/searchagg
      searchagg run '#swift' --new --state postgresql://db.example/searchagg

    `state init` makes the tables, and brings them up to date after an update of searchagg. With --print-sql it prints their SQL instead, for an administrator. The user of runs must own the tables, since each month adds one. In a configuration file the setting is "state", as a variable SEARCHAGG_STATE.

    --new, --retry-failed, --backfill, --offline, alerts, history, tags list, state and undelivered work as with a file: what one machine has printed is not new to another, and posts are passed on by one machine at a time. Give --exec and --notify the same text on all of them. Sessions, credentials and caches stay in the files of each machine. Plain runs index their posts immediately. All words of a text are indexed, each once, and of a very long word the first 64 letters.

      searchagg tags import tags.json --tags-file postgresql://db.example/searchagg
      searchagg run --tags-file postgresql://db.example/searchagg

    A team keeps its tags there, too, with the tables of `state init`: --tags-file, SEARCHAGG_TAGS_FILE or "tags-file" names the database instead of a file.

    WATCHES ON SEVERAL MACHINES
      searchagg watch --state postgresql://db.example/searchagg

      The same command on any number of machines, in any order: they share the searches, and take over from one another. Each server of a network is asked by one machine at a time, so that ten machines ask it no faster than one, and if one of them is told to wait, they all wait. A machine that stalls or is cut off loses its searches after --lease (default: 1m) to the others; what it finds later is dropped, and asked for again. Each post is printed by one of them, and passed on at least once and in order. Only after a crash, or when a reader stalls, is a post printed twice; it is passed on twice after a crash, or where a signal ends the watch while the receiver is taking it. `searchagg workers` shows who asks what, and what is due, late or failing. Give all machines the same tags and options, preferably with --tags-file as above; a search that only some machines know is run by those only. Limits of a network count for all credentials together.

    THE SERVER
      The address is that of PostgreSQL's own programs: postgresql://USER@HOST:PORT/DATABASE?sslmode=verify-full. What it leaves out comes from ~/.pgpass, the variables PGHOST, PGUSER, PGPASSWORD, PGSSLMODE and so on. An address with a password is refused as an option, where other users see it; in the configuration file one is allowed, and is shown nowhere. A server that does not answer is given up after 10 seconds, or the connect_timeout of the address. Runs keep a connection of their own with prepared statements, so that a connection pooler must use session mode.

      PostgreSQL's client library is opened when such a state is named, and not before: libpq5 on Debian and Ubuntu, libpq on Fedora and Alpine. Where it is missing, commands that need the state end with status 69.

    WHEN THE SERVER IS UNAVAILABLE
      A plain run prints its posts and says that nothing was kept. `run --new` and `run --backfill` send no requests and end with status 75, so that they lose nothing: try again later. A run that has begun waits up to half a minute for a server that is restarting. A watch sends no requests until the server can be reached again; it tries after 1, 2, 4 seconds and so on, at least once a minute.

    WHAT IS DELETED
      `history delete` and `history prune` delete rows. PostgreSQL overwrites their bytes later (autovacuum), and its log and your backups hold them for as long as you keep those. Posts lie in one partition for each month of their last fetch.
    """

  private static let recipesText = """
    RECIPES
    A feed for your feed reader, rebuilt by cron:

      `searchagg run --format atom -o ~/public/tags.atom`

    Into SQLite, repeatedly; posts that are already there stay as they are:

        searchagg run --posts-only --fields uri,created_at,text -o posts.csv
        sqlite3 posts.db 'DROP TABLE IF EXISTS new' '.import --csv posts.csv new' \\
          'CREATE TABLE IF NOT EXISTS posts (uri PRIMARY KEY, created_at, text)' \\
          'INSERT OR IGNORE INTO posts SELECT * FROM new'

    Into pandas or DuckDB, without marks against formulas:

      `searchagg run --posts-only --cells raw -o posts.csv`

    Only posts that are new since the last run; from cron, every ten minutes:

      `searchagg run --new --quiet --format ndjson --append -o new.ndjson`

    After a failure, only the searches that failed, printed with everything else:

      `searchagg run --retry-failed`

    Who talks most, and two tags compared by day:

      `searchagg run swift --count-by author`
      `searchagg run '#swiftlang' '#rustlang' --since 7d --count-by day,tag`

    All posts between two dates, oldest first:

      `searchagg run libcurl --since 2026-11-01 --until 2026-11-08 --sort oldest`

    Posts that two tags have in common, posts with pictures, and posts with links to one site:

      `searchagg run '#swiftlang #linux'`
      `searchagg run swift --json --fields url,media | grep '"media"'`
      `searchagg run swift --json --fields url,links | grep '//git.example.dev/'`

    An author left out for good:

      `searchagg mute @amy`

    A digest page of the last day:

      `searchagg run --since yesterday --format html -o digest.html`

    The same run in several formats, with each request sent once:

      `searchagg run --record today`
      `searchagg run --replay today --format markdown -o today.md`
      `searchagg run --replay today --format ndjson -o today.ndjson`

    A line of your own for each post:

      `searchagg run --template '{{source}} {{#title}}{{title}}: {{/title}}{{url}}'`

    In a script, telling "nothing found" from "try again later" (`searchagg help exit-codes`):

      `searchagg run swift --fail-on-empty || echo "status $?"`

    In GitHub Actions, annotations for what is missing and the posts in the job summary:

      `searchagg run --format github`

    Tags shared by a team: commit the tags.json of a folder, and run searchagg there (create it with `searchagg tags add … --tags-file tags.json`):

      `git add tags.json`
    """
}
