internal import SearchModel
internal import SearchSources

extension HelpTopic {
  static let environmentText = """
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

      On a terminal, `--refresh` prints what the cache has at once, and prints again when the networks have answered, with new posts marked. `--offline` sends no requests: each search is answered from the cache, or else from the history, with a note such as "from cache, 3 h old".

    OTHER VARIABLES
      SEARCHAGG_TAGS_FILE        The tags file, like --tags-file.
      SEARCHAGG_CONFIG           The configuration file, like --config.
      SEARCHAGG_NOW              Overrides the current time, for reproducible runs.
      http_proxy, HTTPS_PROXY, ALL_PROXY, NO_PROXY   As in curl.
      CURL_CA_BUNDLE, SSL_CERT_FILE   A file of trusted certificates.
      SEARCHAGG_PAGER, PAGER     The pager; cat turns it off.
      NO_COLOR, CLICOLOR_FORCE, TERM, COLUMNS, CI   As in other programs.
    """

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
}
