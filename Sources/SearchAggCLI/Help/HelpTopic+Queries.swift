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
