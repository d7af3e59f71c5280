import Foundation
import NetworkSimulator
import TestSupport
import Testing

/// What people come with, each in the commands that the documentation names, typed twice: once, and
/// another time when the first has left its traces.
@Suite(.serialized) struct JobTests {
  struct Job: Sendable, CustomTestStringConvertible {
    let name: String
    let commands: [String]
    /// A file that the commands leave, which is not empty.
    var file: String?

    var testDescription: String { name }
  }

  private static let jobs = [
    Job(name: "the newest posts about a word", commands: ["searchagg run swift -n 10"]),
    Job(
      name: "only what is new since yesterday morning, and then each time",
      commands: ["searchagg run '#swift' --new --since 'yesterday 09:00'"]),
    Job(
      name: "tell a channel about a tag from now on",
      commands: [
        "echo \"$WEBHOOK\" | searchagg auth set TEAM_WEBHOOK",
        "searchagg watch '#swift' --notify team --from-now --for 1s",
      ]),
    Job(
      name: "a weekly digest",
      commands: [
        "searchagg run '#swift' -q > /dev/null", "searchagg history list --since 7d -o week.html",
      ],
      file: "week.html"),
    Job(
      name: "a feed for a feed reader", commands: ["searchagg run '#swift' -o swift.atom"],
      file: "swift.atom"),
    Job(
      name: "a table with the texts as they are",
      commands: ["searchagg run '#swift' --posts-only --cells raw -o posts.csv"], file: "posts.csv"),
    Job(
      name: "into SQLite again and again",
      commands: [
        "searchagg run '#swift' --posts-only --fields uri,created_at,text -o posts.csv",
        "sqlite3 posts.db 'DROP TABLE IF EXISTS new' '.import --csv posts.csv new' "
          + "'CREATE TABLE IF NOT EXISTS posts (uri PRIMARY KEY, created_at, text)' "
          + "'INSERT OR IGNORE INTO posts SELECT * FROM new'",
        "sqlite3 posts.db 'SELECT count(*) FROM posts' >> counts",
      ], file: "posts.db"),
    Job(
      name: "the most active authors, on which day, in which language",
      commands: ["author", "day", "language"].map { "searchagg run '#swift' --count-by \($0)" }),
    Job(
      name: "only the searches that failed",
      commands: ["searchagg run '#swift' > /dev/null", "searchagg run '#swift' --retry-failed"]),
    Job(
      name: "two tags compared by day",
      commands: ["searchagg run '#swift' '#linux' --since 7d --count-by day,tag -o days.csv"],
      file: "days.csv"),
    Job(
      name: "everything that was kept about a tag",
      commands: [
        "searchagg run '#swift' > /dev/null",
        "searchagg history search '#swift' -o swift.ndjson",
      ], file: "swift.ndjson"),
    Job(
      name: "everything kept about an author, deleted",
      commands: [
        "searchagg run '#swift' > /dev/null",
        "searchagg history delete --author @nobody --dry-run",
        "searchagg history delete --source hackernews --tag '#swift'",
      ]),
    Job(
      name: "tags shared through git",
      commands: [
        "git init --quiet .", "searchagg tags add '#swift' --tags-file tags.json || [ $? = 1 ]",
        "git add tags.json", "searchagg run > /dev/null",
      ], file: "tags.json"),
    Job(
      name: "GitHub Actions",
      commands: ["GITHUB_STEP_SUMMARY=summary.md searchagg run '#swift' --format github"],
      file: "summary.md"),
    Job(
      name: "a private server with a token",
      commands: [
        "searchagg sources add mastodon \"$SERVER\" --token-variable SOCIAL_TOKEN || [ $? = 1 ]",
        "searchagg sources remove mastodon https://mastodon.social || [ $? = 1 ]",
        "echo \"$TOKEN\" | searchagg auth set SOCIAL_TOKEN",
        "searchagg run '#swift' --source mastodon | grep -q .",
      ]),
    Job(
      name: "an API that nobody has declared", commands: ["searchagg run swift --source my-hn"]),
    Job(
      name: "feeds from OPML",
      commands: [
        "searchagg sources add feed --opml feeds.opml || [ $? = 1 ]",
        "searchagg run swift --source feed",
      ]),
    Job(
      name: "an author muted for good",
      commands: [
        "searchagg mute @amy || [ $? = 1 ]", "searchagg run '#swift'", "searchagg mute list",
      ]),
    Job(
      name: "all posts between two dates, oldest first",
      commands: [
        "searchagg run '#swift' --since 2026-11-19 --until 2026-11-20 --sort oldest -o days.md"
      ], file: "days.md"),
    Job(
      name: "posts found by both of two tags",
      commands: ["searchagg run '#swift #linux' --source hackernews,mastodon"]),
    Job(
      name: "posts with pictures, and posts with links to one site",
      commands: [("media", #""media""#), ("links", "//git.example.dev/")].map {
        "searchagg run swift --json --fields url,\($0) | grep -q '\($1)'"
      }),
    Job(
      name: "a page in the browser, renewed by cron",
      commands: ["searchagg run '#swift' -q -o page.html"], file: "page.html"),
  ]

  @Test(arguments: jobs)
  func `A job is done by its commands, the first time and the second`(job: Job) async throws {
    let webhook = try RecordingServer { _ in (200, "ok") }
    defer { webhook.stop() }
    let programs = URL(filePath: Program.searchagg.path).deletingLastPathComponent().path
    try await Networks.with { networks in
      let folder = try Folder()
      let feed = networks.simulator.address(of: "feed")
      try folder.write(
        "<opml version=\"2.0\"><body><outline text=\"News\" xmlUrl=\"\(feed)\"/></body></opml>",
        to: "feeds.opml")
      let hackerNews = networks.simulator.address(of: "hackernews")
      try folder.write(
        """
        {"channels": {"team": {"kind": "slack", "url": "{TEAM_WEBHOOK}"}},
         "sources": {"my-hn": {"kind": "json", "items": "hits",
          "url": "\(hackerNews)/api/v1/search_by_date?query={query}&page={page}",
          "html": ["text"],
          "fields": {"id": "objectID", "text": ["comment_text", "story_text", "title"],
          "created_at": "created_at_i"},
          "page": {"first": 0, "pages": "nbPages"}}}}
        """, to: "config/searchagg/config.json")
      let own = ["FEED", "SEARXNG"].map { "SEARCHAGG_\($0)_URL" }
      var environment = networks.environment.filter { !own.contains($0.key) }
      environment["PATH"] = "\(programs):/usr/bin:/bin"
      environment["SEARCHAGG_NO_HISTORY"] = "false"
      environment["WEBHOOK"] = webhook.address
      environment["SERVER"] = networks.simulator.address(of: "mastodon")
      if job.commands.contains(where: { $0.contains("sources add mastodon") }) {
        environment["SEARCHAGG_MASTODON_URL"] = nil
        environment["MASTODON_ACCESS_TOKEN"] = nil
      }
      environment["TOKEN"] = networks.environment["MASTODON_ACCESS_TOKEN"]
      try folder.write(job.commands.joined(separator: "\n"), to: "job")
      for _ in 1...2 {
        let ended = try await Program(path: "/bin/sh").run(
          ["-e", "job"], environment: environment, in: folder)
        #expect(ended.status == 0, "\(job.name): \(ended.errors.suffix(1000))")
      }
      if let file = job.file { #expect((folder.bytes(of: file) ?? []).count > 10) }
      if job.commands.last?.hasSuffix("counts") == true {
        let counts = try folder.text(of: "counts").split(separator: "\n")
        #expect(counts.count == 2 && counts[0] == counts[1] && counts[0] != "0")
      }
    }
  }
}
