extension HelpTopic {
  static let exitCodesText = """
    EXIT STATUS
      0      Every search was answered, even if no post was found.
      1      tags, mute, unmute, sources, auth remove, state forget, history delete, undelivered: nothing was changed. history show: no post has this identifier. run --fail-on-empty: nothing was found.
      2      Some searches failed or are incomplete, and some were answered (--fail-on any, the default; with all: 0 unless all failed; with none: 0). A tag that no source could be asked for counts as failed; with any, so does a tag whose last post is older than --expect-within allows.
      64     The command line is wrong.
      65     tags.json or another input file is malformed; it was left unchanged.
      66     An input file is missing or unreadable, or no tags are stored yet.
      70     A bug in searchagg.
      74     The output, or the state that --new and alerts need, cannot be written.
      78     A variable or a configuration file is wrong.

    When no search was answered (--fail-on any or all):

      77     Every failure is a missing or refused credential.
      75     Some failures are temporary (429, 5xx, timeout, no connection), or another run was printing new posts: try again later.
      69     All failures are permanent.

    On SIGINT or SIGTERM, and on SIGHUP except in a watch, searchagg prints what has arrived and then dies by that signal; a shell shows 130, 143 or 129. A second signal, at least 300 ms after the first, ends it at once. If the reader of the output goes away, as in `| head`, the status is 0.
    """
}
