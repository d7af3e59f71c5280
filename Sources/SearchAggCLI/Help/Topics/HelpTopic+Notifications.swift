extension HelpTopic {
  static let notificationsText = """
    FOLLOWING TAGS (searchagg watch)
      A watch asks each search again and again. --every is the interval (default: 5m). After the first day it is longer where nothing happens, unless --exactly is given: a tenth of the age of the newest post, up to 12 times --every or an hour. It is also longer where a network allows fewer requests, and where a server asks for a pause. A remote server gets the same search at most once a minute. -v shows the interval of each search.

      Servers are searched independently: the posts of each are printed and passed on as soon as all its searches that were due are answered, from the oldest to the newest. A server that does not answer is asked for one search at a time, until it does.

      Bounds on cost (--max-cost) hold for 24 hours, also when the watch is started again. --for ends the watch after that time, with the exit status of its latest results. SIGINT and SIGTERM end it as they end a run. SIGHUP makes it read the tags and the configuration again, or ends it if a standard stream is a terminal.

    WHAT COUNTS AS NEW (--new, searchagg watch)
      The first run of a search prints a sample. From then on a post is new if it was written after that run began, or so shortly before that it may have arrived late, and if no run has printed it. Posts that the first run of a search has read are never new to that search, printed or not; they may be new to another one. --from-now prints no sample either. --new-all prints everything there is.

      What --per-search or -n leaves out of a later run is printed by the next ones; what lies beyond --max-pages is not. Where a bound on costs or a fault of the server ends a later run of a search early, it ends with status 2, and the next runs read the rest; what they cannot read is abandoned after two days. Where a search ends before it meets a post of earlier runs, or a page is empty although more follow, the next run reads it again. A filter (--lang, --exclude, …) can be changed: a run with another one reads again what it has not seen.

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
      headers   Additional headers.

      {NAME} is a credential, from the environment or credentials.json (`searchagg auth set NAME`). `searchagg notify test NAME` sends one message. Posts are sent as plain text that mentions nobody, in messages of the length and at the pace that the service allows. Redirects are not followed.

    WHEN IT FAILS
      New posts are kept in the state until they are delivered, so that each is passed on at least once, and in order, even if searchagg is killed. A batch that fails is tried again at the next run, or the next round of a watch, five times, with growing waits. Then it is written to the folder undelivered beside the state, and the next batch follows. A post that a channel refuses while it takes others is written there by itself; for the first two days, an attempt that meets a rate limit is not counted. While a batch waits for its next attempt, the run says so. Receivers are independent of one another, and a watch goes on searching meanwhile. --max-time also bounds how long a run passes posts on (at least one second); the next run sends what is left. A run in which something could not be passed on ends with status 2, unless `--fail-on none` is given.

      A batch belongs to the exact text of its command, or for the name of its channel. After these have changed, no run delivers it: after an hour runs name such batches in one line, and after a week they are written to the folder undelivered. `searchagg undelivered list` shows batches and files, `searchagg undelivered send ID --exec COMMAND` (or --notify NAME) passes one on, and `searchagg undelivered drop ID` deletes it.
    """
}
