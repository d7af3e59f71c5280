import TestSupport
import Testing

@testable import Application
@testable import SearchAggCLI

/// Wrong command lines, each answered by one line that helps.
@Suite struct MistakeTests {
  @Test(arguments: [
    (["rum"], "unknown command 'rum'; did you mean 'searchagg run'?"),
    (["rnu", "swift"], "did you mean 'searchagg run swift'?"),
    (["serach"], "to search for it: searchagg run serach"),
    (["search", "swift", "-n", "3"], "did you mean 'searchagg run swift -n 3'?"),
    (["swift"], "to search for it: searchagg run swift"),
    (["#swift", "it's"], #"to search for it: searchagg run '#swift' 'it'\''s'"#),
    (["tag"], "did you mean 'searchagg tags'?"),
    (["source"], "did you mean 'searchagg sources'?"),
    (["ls"], "did you mean 'searchagg tags list'?"),
    (["add", "swift"], "did you mean 'searchagg tags add swift'?"),
    (["login", "bluesky"], "did you mean 'searchagg sources login bluesky'?"),
    (["conifg"], "did you mean 'searchagg config'?"),
    (["tags", "ls"], "did you mean 'searchagg tags list'?"),
    (["tags", "rm", "a"], "did you mean 'searchagg tags remove a'?"),
    (["tags", "frobnicate"], "(known: add, remove, edit, list, import, export)"),
    (["sources", "chekc"], "did you mean 'searchagg sources check'?"),
    (["config", "shw"], "did you mean 'searchagg config show'?"),
    (["auth", "sett"], "did you mean 'searchagg auth set'?"),
    (["run", "a", "--souce", "x"], "did you mean '--source'?"),
    (["run", "a", "--lim", "3"], "did you mean '--limit'?"),
    (["run", "a", "--count"], "did you mean '--count-by'?"),
    (["run", "a", "--since-last"], "did you mean '--new'?"),
    (["run", "a", "--no-color"], "did you mean '--color never'?"),
    (["run", "a", "--max-results", "3"], "did you mean '--limit'?"),
    (["run", "a", "--after", "today"], "did you mean '--since'?"),
    (["run", "a", "--parallel", "3"], "did you mean '--jobs'?"),
    (["run", "a", "--silent"], "did you mean '--quiet'?"),
    (["run", "a", "--zebra"], "unknown option '--zebra'; see: searchagg run --help"),
    (["run", "a", "--watch"], "did you mean 'searchagg watch'?"),
    (["run", "a", "--follow"], "did you mean 'searchagg watch'?"),
    (["run", "a", "--every", "5m"], "did you mean 'searchagg watch --every'?"),
    (["watch", "a", "--interval", "5m"], "did you mean '--every'?"),
    (["watch", "a", "--max-results", "3"], "did you mean '--limit'?"),
    (["watch", "a", "--every", "5 minutes"], "--every: expected"),
    (["watch", "a", "--for", "0s"], "--for: expected"),
    (["watch", "a", "--every", "1ms"], "--every: expected"),
    (["follow", "a"], "did you mean 'searchagg watch a'?"),
    (["wacth"], "did you mean 'searchagg watch'?"),
    (["watch", "a", "--format", "html"], "a watch cannot append html; use --format"),
    (["watch", "a", "-o", "x.html"], "html, chosen by the name x.html; use --format text"),
    (
      ["run", "a", "--append", "-o", "x.md"],
      "in the format markdown, chosen by the name x.md; use --format text"
    ),
    (["run", "a", "--append", "-o", "x", "--format", "json"], "in the format json; use --format"),
    (["run", "a", "--exec", "cat"], "--exec passes on new posts: add --new, or use"),
    (["run", "a", "--from-now"], "--from-now prints posts that are new later: add --new, or use"),
    (
      ["run", "a", "--new-all", "--from-now"],
      "--from-now and --new-all contradict each other: choose one"
    ),
    (["run", "a", "--new", "--from-now", "--notify-first"], "--from-now prints nothing"),
    (["run", "a", "--notify-first"], "--notify-first passes on new posts: add --new, or use"),
    (["run", "a", "--notify", "team"], "--notify passes on new posts: add --new"),
    (["run", "a", "--new", "--notify", "team"], "there is no channel 'team'; declare it"),
    (["tags", "add", "a", "--limt", "3"], "did you mean '--limit'?"),
    (["tags", "list", "--format", "jsn"], "did you mean 'json'?"),
    (["run", "a", "--source", "hn"], "unknown source 'hn'; did you mean 'hackernews'?"),
    (["run", "a", "--source", "HackerNews"], "did you mean 'hackernews'?"),
    (["run", "a", "--source", "twitter"], "did you mean 'x'?"),
    (["run", "a", "--source", "GoToSocial"], "did you mean 'mastodon'?"),
    (["run", "a", "--source", "so,github"], "unknown source 'so'; did you mean 'stackexchange'?"),
    (["run", "a", "--source", "zebra"], "unknown source 'zebra' (known: "),
    (["tags", "add", "a", "--source", "masto"], "did you mean 'mastodon'?"),
    (["sources", "show", "lemy"], "did you mean 'lemmy'?"),
    (["run", "a", "--exclude", "source:hn"], "did you mean 'hackernews'?"),
    (["run", "a", "--format", "jsonl"], "unknown value 'jsonl'; did you mean 'ndjson'?"),
    (["run", "a", "--fail-on", "evry"], "unknown value 'evry' (known: any, all, none)"),
    (["help", "format"], "did you mean 'formats'?"),
    (["help", "exit-status"], "did you mean 'exit-codes'?"),
    (["help", "zebra"], "unknown help page 'zebra' (known: "),
    (["run", "a", "--since", "2026-13-01"], "--since: '2026-13-01': there is no month 13"),
    (["run", "a", "--since", "2026-02-30"], "February 2026 has 28 days"),
    (["run", "a", "--since", "5"], "a unit is missing, as in 5h, 5d or 5w"),
    (
      ["run", "--", "-swift"],
      "'-swift' has nothing to search for; add a word, a tag or an author"
    ),
    (["run", "-n"], "missing value for '-n'; see: searchagg run --help"),
    (["auth", "set", "XBEARER_TOKEN"], "did you mean 'X_BEARER_TOKEN'?"),
    (["run", "a", "--from", "amy"], "to search for an author, write from:NAME in the query"),
    (["run", "a", "--user", "amy"], "write from:NAME in the query"),
    (["watch", "a", "--author", "amy"], "write from:NAME in the query"),
    (["run", "a", "-f", "json"], "did you mean '--format'?"),
    (["run", "a", "-s", "x"], "did you mean '--source'?"),
    (["run", "a", "-t", "tags.json"], "did you mean '--tags-file'?"),
    (["run", "a", "--html"], "did you mean '--format html'?"),
    (["run", "a", "--markdown"], "did you mean '--format markdown'?"),
    (["run", "a", "--atom"], "did you mean '--format atom'?"),
    (["run", "a", "--server", "https://a.example"], "such as SEARCHAGG_MASTODON_URL"),
    (
      ["run", "a", "--instance", "https://a.example"],
      "name a network's servers in the configuration"
    ),
    (["tags", "ad", "a"], "did you mean 'searchagg tags add a'?"),
    (["config", "list"], "did you mean 'searchagg config show'?"),
    (["config", "get", "format"], "did you mean 'searchagg config show'?"),
    (["config", "edit"], "did you mean 'searchagg config path'?"),
    (["config", "set", "format", "json"], "did you mean 'searchagg config path'?"),
    (["auth", "login"], "did you mean 'searchagg auth set'?"),
    (["history", "clear"], "did you mean 'searchagg history delete'?"),
    (["doctor"], "did you mean 'searchagg sources check'?"),
    (["run", "swift", "-taylor"], "quote the query: searchagg run 'swift -taylor'"),
    (
      ["run", "--source", "hackernews", "swift", "-q", "-taylor"],
      "quote the query: searchagg run 'swift -taylor'"
    ),
    (["run", "-taylor"], "quote the query: searchagg run 'WORD -taylor'"),
    (["run", "a", "-n", "-5"], "-n -5: must not be negative; see: searchagg run --help"),
    (["run", "a", "--limit", "-1"], "--limit -1: must not be negative"),
    (["run", "a", "--" + String(repeating: "x", count: 131_072)], "…' (131074 characters)"),
    (["sources", "show", String(repeating: "x", count: 131_072)], "(known: "),
    (["run", "--json", "id,url"], "to choose them: --json --fields id,url"),
    (["run", "swift", "--json=id,author.handle"], "--json --fields id,author.handle"),
    (["run", "a", "--reverse"], "did you mean '--sort oldest'?"),
    (["run", "a", "--oldest-first"], "did you mean '--sort oldest'?"),
    (["run", "a", "--sort", "date"], "unknown value 'date' (known: newest, oldest, likes)"),
    (["run", "a", "--posts-only"], "--posts-only needs --format json, ndjson, csv or tsv"),
    (["run", "a", "--count-by", "day,tag,network"], "--count-by: expected one or two of network"),
    (
      ["history", "stats", "--format", "atom"], "this command prints text, plain, json, ndjson, csv"
    ),
    (["history", "list", "--fields", "id"], "--fields needs --format json, ndjson, csv or tsv"),
    (["mute", "amy"], "expected an author such as @amy, found 'amy'; to leave out words, use"),
    (["unmute"], "missing argument '<@handle> ...'"),
    (["history", "delete"], "by id or address, or with --author, --tag or --source"),
    (["history", "delete", "1", "--tag", "#a"], "not both at once"),
    (["history", "delete", "--author", "@"], "--author: expected a handle such as @amy"),
  ])
  func `A mistake is one line that says what may have been meant`(
    arguments: [String], part: String
  ) async throws {
    let outcome = try await TestWorld().run(arguments)
    #expect(outcome.status == .usage)
    #expect(outcome.output == "")
    #expect(outcome.errors.contains(part), "\(outcome.errors)")
    #expect(outcome.errors.split(separator: "\n").count == 1)
  }

  @Test(arguments: [
    (
      ["--source", "lobsters", "github"],
      "searched for the word github; to search both networks: --source lobsters,github"
    ),
    (
      ["--source=lobsters,lemmy", "github", "x", "swift"],
      "searched for the words github and x; to search all 4 networks: "
        + "--source lobsters,lemmy,github,x"
    ),
    (["--source", "lobsters", "swift", "github"], ""), (["github", "--source", "lobsters"], ""),
    (["--source", "lobsters", "github", "-q"], ""),
  ])
  func `Names of networks after that of --source are searched for, and a line says so`(
    words: [String], line: String
  ) async throws {
    let outcome = try await TestWorld().run(["run", "swift", "--dry-run"] + words)
    #expect(outcome.status == .success, "\(outcome.errors)")
    let notes = outcome.errors.split(separator: "\n").filter { $0.contains("searched for") }
    #expect(notes == (line.isEmpty ? [] : ["searchagg: \(line)"]))
  }

  @Test(arguments: ["title", "swift,concurrency", "id, not a field"])
  func `A query after --json is searched for`(query: String) async throws {
    let outcome = try await TestWorld().run(
      "run", "--dry-run", "--source", "lobsters", "--json", query)
    #expect(outcome.status == .success, "\(outcome.errors)")
  }

  @Test func `An unknown key of the configuration gets the one that is near`() async throws {
    let world = try TestWorld()
    try world.folder.write(#"{"max-pags": 3}"#, to: "home/.config/searchagg/config.json")
    let outcome = await world.run("run", "a")
    #expect(outcome.status == .badConfiguration)
    #expect(outcome.errors.contains("max-pags: unknown setting; did you mean 'max-pages'?"))
  }

  @Test(arguments: UsageFault.otherOptions.values.sorted())
  func `An option of another tool is translated to one that exists`(replacement: String)
    async throws
  {
    let words = replacement.split(separator: " ").map(String.init)
    let setting = try #require(Setting.named(String(words[0].dropFirst(2))))
    #expect(setting.places.contains(.option))
    if words.count > 1 {
      let outcome = try await TestWorld().run(
        ["run", "a", "--dry-run", "--source", "lobsters"] + words)
      #expect(outcome.status == .success, "\(outcome.errors)")
    }
  }

  @Test func `A command of another tool is translated to one that exists`() {
    for (parent, commands) in UsageFault.otherCommands {
      for (name, meant) in commands {
        let words = parent.split(separator: " ").dropFirst() + meant.split(separator: " ")
        let (command, rest) = CommandOutline.root.command(in: words.map(String.init))
        #expect(rest.isEmpty && command.words.count > 1 || meant == "--version", "\(name)")
      }
    }
  }
}
