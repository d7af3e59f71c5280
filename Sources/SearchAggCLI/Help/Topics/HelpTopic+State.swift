extension HelpTopic {
  static let stateText = """
    One file, history.db, holds what a machine has fetched and printed, and is enough for most. To share it between machines (a watch that moves from one to another, a history that a team searches) keep it in a PostgreSQL database instead, of version 13 or later:

      createdb --encoding UTF8 searchagg
      searchagg state init --state postgresql://db.example/searchagg
      searchagg run '#swift' --new --state postgresql://db.example/searchagg

    `state init` creates the tables, and brings them up to date after an update of searchagg. With --print-sql it prints their SQL instead, for an administrator. The user of runs must own the tables, since each month adds one. In a configuration file the setting is "state", as a variable SEARCHAGG_STATE.

    --new, --retry-failed, --backfill, --offline, alerts, history, tags list, state and undelivered work as with a file: what one machine has printed is not new to another, and posts are passed on by one machine at a time. Use the same --exec and --notify values on all machines. Sessions, credentials and caches stay in the files of each machine. Plain runs index their posts immediately. All words of a text are indexed, each once, and of a very long word the first 64 letters.

      searchagg tags import tags.json --tags-file postgresql://db.example/searchagg
      searchagg run --tags-file postgresql://db.example/searchagg

    A team keeps its tags there, too, with the tables of `state init`: --tags-file, SEARCHAGG_TAGS_FILE or "tags-file" names the database instead of a file.

    WATCHES ON SEVERAL MACHINES
      searchagg watch --state postgresql://db.example/searchagg

      The same command on any number of machines, in any order: they share the searches, and take over from one another. Each server of a network is asked by one machine at a time, so that ten machines ask it no faster than one, and if one of them is told to wait, they all wait. A machine that stalls or is cut off loses its searches after --lease (default: 1m) to the others; what it finds later is dropped, and asked for again. Each post is printed by one of them, and passed on at least once and in order. Only after a crash, or when a reader stalls, is a post printed twice; it is passed on twice after a crash, or where a signal ends the watch while the receiver is taking it. `searchagg workers` shows who asks what, and what is due, late or failing. Give all machines the same tags and options, preferably with --tags-file as above; a search that only some machines know is run by those only. Limits of a network count for all credentials together.

    THE SERVER
      The address is that of PostgreSQL's own programs: postgresql://USER@HOST:PORT/DATABASE?sslmode=verify-full. What it leaves out comes from ~/.pgpass, the variables PGHOST, PGUSER, PGPASSWORD, PGSSLMODE and so on. An address with a password is refused as an option, where other users see it; in the configuration file one is allowed, and is shown nowhere. A server that does not answer is given up after 10 seconds, or the connect_timeout of the address. Runs keep a connection of their own with prepared statements, so that a connection pooler must use session mode.

      PostgreSQL's client library is loaded only when such a state is used: libpq5 on Debian and Ubuntu, libpq on Fedora and Alpine. Where it is missing, commands that need the state end with status 69.

    WHEN THE SERVER IS UNAVAILABLE
      A plain run prints its posts and says that nothing was kept. `run --new` and `run --backfill` send no requests and end with status 75, so that they lose nothing: try again later. A run that has begun waits up to half a minute for a server that is restarting. A watch sends no requests until the server can be reached again; it tries after 1, 2, 4 seconds and so on, at least once a minute.

    WHAT IS DELETED
      `history delete` and `history prune` delete rows. PostgreSQL overwrites their bytes later (autovacuum), and its log and your backups hold them for as long as you keep those. Posts lie in one partition for each month of their last fetch.
    """
}
