/// The tables of a shared state in plain SQL, and how those of an earlier version become those of this one.
package enum SharedSchema {
  /// The statements that make each version out of the one before, the first one out of nothing.
  static let versions = [first, second, third, fourth, fifth]

  package static var version: Int { versions.count }

  /// The SQL that makes the tables in an empty database, for an administrator.
  package static var sql: String { script(after: 0) }

  /// The SQL that brings tables up to date, for one transaction.
  ///
  /// - Parameters:
  ///   - version: The version of the tables; 0 where there are none.
  ///   - last: The version to make.
  static func script(after version: Int, upTo last: Int = version) -> String {
    var parts = version == 0 ? [beginning] : []
    parts += versions[version..<last]
    parts.append("UPDATE searchagg.fact SET version = \(last);\n")
    return parts.joined(separator: "\n")
  }

  private static let beginning = """
    -- The state of searchagg. Dates are milliseconds since 1970.
    CREATE SCHEMA IF NOT EXISTS searchagg;

    -- The version of these tables, and the key of all hashes: nobody can tell without it which post or
    -- which search a hash belongs to.
    CREATE TABLE searchagg.fact (
      version bigint NOT NULL,
      key bytea NOT NULL,
      single boolean PRIMARY KEY DEFAULT true CHECK (single));
    INSERT INTO searchagg.fact (version, key)
      SELECT 0, substring(
        sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())) FOR 16);

    """

  /// - `identity` says which posts there are: `fetched` is null for one that is not kept.
  /// - `post.place` is the date by which posts are sorted; those without one come last.
  /// - `post.words` holds the words and facets of a post, each once; the index finds candidates, which
  ///   searchagg then judges by their texts.
  /// - `mark` says which searches have read a post, and whether it was printed; a negative `search`, that the first
  ///   run of this search has read it.
  /// - `search.first_run` is null for a search that no run with `--new` has asked.
  /// - `reach` says how far a search was read under each filter, `span` of which dates it has everything.
  private static let first = """
    -- Numbers that the state remembers about itself.
    CREATE TABLE searchagg.chore (name text PRIMARY KEY, value bigint NOT NULL);

    CREATE TABLE searchagg.search (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      digest bytea NOT NULL UNIQUE,
      tag text NOT NULL, raw boolean NOT NULL, source text NOT NULL, server text NOT NULL,
      first_run bigint, oldest bigint, answered bigint);
    CREATE TABLE searchagg.reach (
      search bigint NOT NULL, filter bytea NOT NULL, read_to bigint, looked_back bigint,
      PRIMARY KEY (search, filter));
    CREATE TABLE searchagg.skimmed (
      search bigint NOT NULL, mark bigint NOT NULL, run bigint NOT NULL,
      PRIMARY KEY (search, mark));

    -- Each post once, by the keyed hash of its network and address.
    CREATE TABLE searchagg.identity (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      fingerprint bytea NOT NULL UNIQUE,
      fetched bigint);
    CREATE TABLE searchagg.mark (
      post bigint NOT NULL, search bigint NOT NULL, printed boolean NOT NULL, kept boolean NOT NULL,
      PRIMARY KEY (post, search));
    CREATE INDEX mark_search ON searchagg.mark (search);

    -- The posts that are kept, with a partition for each month of their last fetch.
    CREATE TABLE searchagg.post (
      id bigint NOT NULL, fetched bigint NOT NULL, place bigint NOT NULL,
      source text NOT NULL, server text NOT NULL, created bigint,
      body bytea NOT NULL, words text[] NOT NULL,
      PRIMARY KEY (id, fetched)) PARTITION BY RANGE (fetched);
    CREATE INDEX post_place ON searchagg.post (place, id);
    CREATE INDEX post_words ON searchagg.post USING gin (words);
    CREATE TABLE searchagg.revision (
      post bigint NOT NULL, replaced bigint NOT NULL, body bytea NOT NULL,
      PRIMARY KEY (post, replaced));

    CREATE TABLE searchagg.run (
      digest bytea PRIMARY KEY, began bigint NOT NULL, since bigint, until bigint, newest bigint,
      per_search bigint, parts bytea NOT NULL);
    CREATE TABLE searchagg.span (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      search bigint NOT NULL, filter bytea NOT NULL, first bigint NOT NULL, last bigint NOT NULL,
      fetched bigint NOT NULL, posts bigint[] NOT NULL);
    CREATE INDEX span_search ON searchagg.span (search, filter);
    CREATE TABLE searchagg.tag (
      digest bytea PRIMARY KEY, name text NOT NULL, raw boolean NOT NULL,
      first_run bigint NOT NULL, last_run bigint NOT NULL, newest bigint, found bigint,
      posts bigint NOT NULL);

    -- New posts that commands and channels have not taken yet.
    CREATE TABLE searchagg.outbox (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      token text NOT NULL UNIQUE, receiver text NOT NULL, lines text NOT NULL,
      created bigint NOT NULL, taken bigint NOT NULL, failures bigint NOT NULL, retry bigint);

    """

  private static let second = """
    -- New posts that were given up.
    CREATE TABLE searchagg.undelivered (name text PRIMARY KEY, lines text NOT NULL);

    """

  private static let third = """
    -- The tags of a team: the entries of a tags file, in their order.
    CREATE TABLE searchagg.team_tag (place bigint PRIMARY KEY, entry text NOT NULL);

    """

  /// Moments are milliseconds on the database's clock.
  ///
  /// - `lane` is a server that watches ask. `due` is the moment from which a worker may take it: when a
  ///   search of it is due and the server may be asked, or at the end of the lease of another worker.
  /// - `turn` is a search of the watches with a filter.
  private static let fourth = """
    -- The processes of searchagg watch, and the servers that they ask, each by one at a time.
    CREATE TABLE searchagg.worker (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      name text NOT NULL, began bigint NOT NULL, seen bigint NOT NULL, patience bigint NOT NULL);
    CREATE TABLE searchagg.lane (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      digest bytea NOT NULL UNIQUE, name text NOT NULL,
      due bigint NOT NULL, lease bigint NOT NULL DEFAULT 0, holder bigint,
      buckets bigint[] NOT NULL DEFAULT '{}', costs bigint[] NOT NULL DEFAULT '{}',
      closed bigint NOT NULL DEFAULT 0, refusals bigint NOT NULL DEFAULT 0,
      silent boolean NOT NULL DEFAULT false);
    CREATE INDEX lane_due ON searchagg.lane (due, id);
    CREATE TABLE searchagg.turn (
      search bigint NOT NULL, filter bytea NOT NULL, lane bigint NOT NULL,
      added bigint NOT NULL, due bigint NOT NULL, wanted bigint NOT NULL,
      begun bigint NOT NULL DEFAULT 0, every bigint NOT NULL DEFAULT 0, newest bigint,
      rejections bigint NOT NULL DEFAULT 0, failure text,
      PRIMARY KEY (search, filter));
    CREATE INDEX turn_due ON searchagg.turn (lane, due, search);

    -- Who passes posts on to a command or a channel.
    CREATE TABLE searchagg.receiver (
      hash bigint PRIMARY KEY, name text NOT NULL, lease bigint NOT NULL, until bigint NOT NULL);

    """

  private static let fifth = """
    -- What a run could not read of a search, and leaves to the next one.
    ALTER TABLE searchagg.reach ADD COLUMN gap_since bigint;
    ALTER TABLE searchagg.reach ADD COLUMN gap_end bigint;
    ALTER TABLE searchagg.reach ADD COLUMN gap_top bigint;

    """
}
