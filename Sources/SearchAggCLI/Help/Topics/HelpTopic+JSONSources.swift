internal import SearchModel

extension HelpTopic {
  static let jsonSourcesText = """
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
      {author}       The author, if the query names exactly one; {lang} its language, if it is one of languages.
      {page}, {offset}, {limit}, {cursor}   For paging; {page:later} has no value on the first page.
      {since}, {until}                      RFC 3339; or {since:date}, {since:epoch-seconds}, {since:epoch-milliseconds}, or a pattern: {since:YYYYMMDDhhmmss}.
      {since:date|1000-01-01}               A text in place of a missing value.
      {?…}           An optional part: left out unless one of its placeholders has a value, and the others a value or such a text.
      {&, }          Text inserted only if both neighboring parts are present.
      {FORUM_TOKEN}  A credential, from the environment or credentials.json.
      {{ and }}      Braces.

      A parameter of the address, an item of a form or a member of the body is left out if a placeholder in it has no value.

    RESPONSE
      items    The path to the list of items; leave it out if the response is the list.
      items_optional   true: a response without that list, but with the object around it, has no posts.
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
      late_hours            The hours within which a post may still appear among older ones. From 2 on, --new reads back that far, as often as that and at least once a day (default: 1, which is not read back).
      requests_per_minute   The pace that is kept on the declared address; or "pace": {"requests": 1, "seconds": 3, "connections": 1}.
      terms                 Who owns the posts, in one line.
      about                 Facts for readers: title, what, documentation, terms, limits, checked, unsure, lost.
      servers               As for any source: see `searchagg help config`.
    """

  private static let declaredFields = PostField.declared.map(\.description.declaredName)
    .joined(separator: ", ")
}
