extension HelpTopic {
  static let queriesText = """
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
        Exclusions from the variable and the configuration still apply.
      --no-reposts         Leaves out reposts.
      --no-replies         Leaves out replies and comments.
      --lang en,de         Keeps only posts in one of these languages.
      --min-likes N        Keeps only posts with at least N likes or points; an unknown count is 0.
      --include-private    Also takes non-public posts (see below).
      --include-muted      Also takes posts by authors that `searchagg mute @amy` has muted.

      Filters apply to every query, and the posts they leave out do not count against a limit. With -v, a line says how many there were; in ndjson, "excluded" on the last line does, with a number for each filter given: words, authors, reposts, replies, languages, language_unknown, likes; and, where there were any, private, signed_out (Bluesky) and undated (see `searchagg help dates`). A post that two searches found counts twice.

    PRIVATE POSTS
      With your token, a network may also find posts that only you and a few others can see: on Mastodon your direct messages and followers-only posts. Only public and unlisted posts are printed, kept, streamed and passed on; a post whose visibility searchagg does not know counts as private. --include-private takes them all. Without it, posts that an earlier run kept with it are left out of `searchagg history` and --offline, too. A recording (--record) holds responses as they came, and a line says when private posts are among them.

    COPIES
      A post that several searches or servers found is printed once: the copy from its home server, or else the first one asked for. `--dedupe link` also merges posts, from any networks, that share their only outside link and at least two thirds of their words: the newest is shown and says where the others are ("also on", "also" in ndjson). It also merges posts from different servers with the same page, such as one that both a feed and Mastodon's search found. Addresses are the same if they differ only in http or https, the case of the host, a slash at the end, #fragment and utm_…. As copies may arrive late, --stream then prints at the end.
    """
}
