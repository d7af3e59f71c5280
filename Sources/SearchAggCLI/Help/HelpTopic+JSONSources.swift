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
