extension HelpTopic {
  static let recipesText = """
    RECIPES
    A feed for your feed reader, rebuilt by cron:

      `searchagg run --format atom -o ~/public/tags.atom`

    Into SQLite, repeatedly; posts that are already there stay as they are:

        searchagg run --posts-only --fields uri,created_at,text -o posts.csv
        sqlite3 posts.db 'DROP TABLE IF EXISTS new' '.import --csv posts.csv new' \\
          'CREATE TABLE IF NOT EXISTS posts (uri PRIMARY KEY, created_at, text)' \\
          'INSERT OR IGNORE INTO posts SELECT * FROM new'

    Into pandas or DuckDB, without formula escaping:

      `searchagg run --posts-only --cells raw -o posts.csv`

    Only posts that are new since the last run; from cron, every ten minutes:

      `searchagg run --new --quiet --format ndjson --append -o new.ndjson`

    After a failure, only the searches that failed, printed with everything else:

      `searchagg run --retry-failed`

    The most active authors, and two tags compared by day:

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
