import Foundation
import TestSupport
import Testing

/// `searchagg history`, with whole processes.
@Suite(.serialized) struct HistoryTests {
  @Test func `What a run fetched is searched, counted, exported and deleted offline`() async throws
  {
    let folder = try Folder()
    let environment = ["SEARCHAGG_NO_HISTORY": "false", "SEARCHAGG_NOW": Networks.now]
    func history(_ arguments: String...) async throws -> Program.Ended {
      try await Program.searchagg.run(
        ["history"] + arguments, environment: environment, in: folder)
    }
    let none = try await history("list", "--format", "ndjson")
    #expect(none.status == 0)
    #expect(none.errors.contains("nothing has been kept yet"))
    #expect(try !folder.names.contains("state"))

    let run = try await Networks.with { networks in
      let ended = try await Program.searchagg.run(
        ["run", "#swift", "libcurl", "--format", "ndjson"],
        environment: networks.environment.merging(environment) { $1 }, in: folder)
      #expect(ended.status == 0, "\(ended.errors)")
      return ended
    }
    let exported = try await history("export", "--format", "ndjson")
    #expect(exported.lines.dropLast() == run.lines.dropLast(), "\(exported.errors)")

    // What is configured for runs is not for an export, which holds everything.
    try folder.write(
      #"{"since": "1h", "limit": 1, "source": "lemmy", "count-by": "day", "fields": "id"}"#,
      to: "searchagg.json")
    #expect(try await history("export", "--format", "ndjson").output == exported.output)
    #expect(try await history("export", "--format", "ndjson", "-n", "2").lines.count == 3)
    try FileManager.default.removeItem(atPath: folder["searchagg.json"])

    let found = try await history("search", "libcurl", "-n", "3", "--format", "ndjson")
    #expect(found.lines.count == 4)
    #expect(try found.objects.first?["tags"] as? [String] == ["libcurl"])
    #expect(try await history("search", "no such words").output == "")

    let id = try #require(try found.objects.first?["uri"] as? String)
    let shown = try await history("show", id, "--format", "ndjson")
    #expect(shown.status == 0 && shown.lines.first == found.lines.first)
    #expect(try await history("show", id).output.contains(id.suffix(8)))
    let missing = try await history("show", id, "nobody")
    #expect((missing.status, missing.output) == (1, ""))
    #expect(missing.errors == "searchagg: 'nobody': not in the history\n")
    #expect(try await history("delete", id).status == 0)
    #expect(try await history("delete", id).status == 1)

    let statistics = try await history("stats", "--format", "json")
    let posts = try statistics.objects.first?["posts"] as? Int
    #expect(posts == exported.lines.count - 2)
    #expect(try await history("stats").output.contains("█"))

    #expect(try await history("prune", "--older", "3h").status == 0)
    #expect(try await history("prune", "--older", "soon").status == 64)
  }

  @Test func `Posts of an author, a tag and a network are counted and deleted`() async throws {
    try await Networks.with { networks in
      let folder = try Folder()
      let environment = networks.withHistory
      func searchagg(_ arguments: [String]) async throws -> Program.Ended {
        try await Program.searchagg.run(arguments, environment: environment, in: folder)
      }
      let run = try await searchagg(["run", "#swift", "libcurl", "--format", "ndjson"])
      #expect(run.status == 0, "\(run.errors)")
      let posts = try run.objects.dropLast()
      let post = try #require(posts.first { ($0["author"] as? [String: Any])?["handle"] is String })
      let handle = try #require((post["author"] as? [String: Any])?["handle"] as? String)
      func count(_ matches: ([String: Any]) -> Bool) -> Int { posts.filter(matches).count }
      let author = ["history", "delete", "--author", "@\(handle.uppercased())"]
      let byAuthor = count {
        ($0["author"] as? [String: Any])?["handle"] as? String == handle
          || ($0["reposted_by"] as? [String: Any])?["handle"] as? String == handle
      }
      let tried = try await searchagg(author + ["--dry-run"])
      #expect(tried.errors == "searchagg: would delete \(Self.posts(byAuthor))\n")
      #expect(tried.status == 0)
      let deleted = try await searchagg(author)
      #expect(deleted.errors == "searchagg: deleted \(Self.posts(byAuthor))\n")
      #expect(try await searchagg(author).status == 1)

      let both = ["history", "delete", "--tag", "libcurl", "--source", "hackernews"]
      let ofBoth = count {
        $0["source"] as? String == "hackernews"
          && ($0["tags"] as? [String])?.contains("libcurl") == true
      }
      #expect(ofBoth > 0)
      let rest = try await searchagg(both)
      #expect(rest.errors == "searchagg: deleted \(Self.posts(ofBoth))\n")
      let statistics = try await searchagg(["history", "stats", "--format", "json"])
      let left = posts.count - byAuthor - ofBoth
      #expect(try statistics.objects.first?["posts"] as? Int == left)

      let last = try #require(
        posts.last { post in
          post["source"] as? String != "hackernews"
            && (post["author"] as? [String: Any])?["handle"] as? String != handle
            && post["reposted_by"] as? [String: Any] == nil
        }?["uri"])
      let mixed = try await searchagg(["history", "delete", "\(last)", "nosuch"])
      #expect(mixed.status == 1)
      #expect(mixed.errors == "searchagg: 'nosuch': not in the history; nothing was deleted\n")
      #expect(try await searchagg(["history", "delete", "\(last)", "--dry-run"]).status == 0)
    }
  }

  @Test func `Formats for programs hold everything that is kept, and what is cut says so`()
    async throws
  {
    try await Networks.with { networks in
      let folder = try Folder()
      let environment = networks.withHistory
      func searchagg(_ arguments: String...) async throws -> Program.Ended {
        let ended = try await Program.searchagg.run(arguments, environment: environment, in: folder)
        #expect(ended.status == 0, "\(ended.errors)")
        return ended
      }
      let run = try await searchagg(
        "run", "#swift", "libcurl", "--per-search", "40", "--format", "ndjson")
      let kept = run.lines.count - 1
      #expect(kept > 100)
      for format in ["ndjson", "csv", "jsonfeed", "html"] {
        let all = try await searchagg("history", "list", "--format", format)
        let export = try await searchagg("history", "export", "--format", format)
        #expect(all.output == export.output && all.errors == "", "\(format)")
      }
      let words = "the newest 50 of \(kept) posts; -n \(kept) shows all"
      let text = try await searchagg("history", "list")
      #expect(text.output.hasSuffix("\n… \(words)\n"))
      #expect(text.errors == "")
      let plain = try await searchagg("history", "search", "#swift", "--format", "plain")
      #expect(plain.lines.count == 50)
      #expect(plain.errors.contains("searchagg: the newest 50 of "))
      let few = try await searchagg("history", "list", "-n", "3", "--format", "ndjson")
      #expect(few.lines.count == 4)
      #expect(try few.objects.last?["total"] as? Int == kept)
      #expect(few.errors == "searchagg: the newest 3 of \(kept) posts; -n \(kept) shows all\n")
      let page = try await searchagg("history", "list", "-n", "3", "--format", "markdown")
      #expect(page.output.contains("The newest 3 of \(kept) posts from"))
      let whole = try await searchagg("history", "list", "-n", "\(kept)", "--format", "json")
      #expect(whole.errors == "" && !whole.output.contains(#""total""#))
      let english = try await searchagg("history", "search", "lang:en", "--format", "ndjson")
      let unknown = try english.objects.dropLast().count { $0["language"] == nil }
      #expect(unknown > 1 && unknown < english.lines.count - 1)
      // Some say that it is undetermined.
      #expect(english.errors.hasPrefix("searchagg: included although their language is unknown: "))
    }
  }

  @Test func `Statistics are printed in every format that can hold them`() async throws {
    try await Networks.with { networks in
      let folder = try Folder()
      let environment = networks.withHistory
      func searchagg(_ arguments: String...) async throws -> Program.Ended {
        let ended = try await Program.searchagg.run(arguments, environment: environment, in: folder)
        #expect(ended.status == 0, "\(ended.errors)")
        return ended
      }
      let run = try await searchagg("run", "#swift", "--format", "ndjson")
      let kept = run.lines.count - 1
      let table = try await searchagg("history", "stats", "--format", "csv")
      #expect(table.output.hasPrefix("by,name,posts\r\n"))
      #expect(table.output.contains("\r\nday,2026-11-20,"))
      #expect(table.output.contains("\r\nnetwork,hackernews,20\r\n"))
      let rows = table.output.split(separator: "\r\n")
      let networkRows = rows.filter { $0.hasPrefix("network,") }
      let counts = networkRows.compactMap { $0.split(separator: ",").last.flatMap { Int($0) } }
      #expect(counts.reduce(0, +) == kept)
      #expect(rows.filter { $0.hasPrefix("author,") }.count > 10)
      let few = try await searchagg("history", "stats", "--format", "tsv", "-n", "2")
      #expect(few.lines.count == 7)
      let short = try await searchagg("history", "stats", "-n", "1")
      #expect(short.lines.filter { $0.contains("█") }.count == 3)
      let html = try await searchagg("history", "stats", "--format", "html")
      #expect(html.output.hasPrefix("<!doctype html>"))
      #expect(html.output.contains("<td dir=\"auto\">hackernews</td>"))
      #expect(
        try await searchagg("history", "stats", "--format", "markdown").output
          .contains("| network | posts |"))
      #expect(
        try await searchagg("history", "stats", "--format", "plain").output
          .contains("20\tnetwork\thackernews\n"))
      _ = try await searchagg("history", "stats", "-o", "stats.json")
      #expect(try folder.text(of: "stats.json").hasPrefix(#"{"posts":\#(kept),"days":{"#))
    }
  }

  @Test func `An export replaces no earlier one by nothing`() async throws {
    let folder = try Folder()
    let environment = ["SEARCHAGG_NO_HISTORY": "false", "SEARCHAGG_NOW": Networks.now]
    func history(_ arguments: String...) async throws -> Program.Ended {
      try await Program.searchagg.run(
        ["history"] + arguments, environment: environment, in: folder)
    }
    let run = try await Networks.with { networks in
      try await Program.searchagg.run(
        ["run", "#swift", "--state", "kept.db"],
        environment: networks.environment.merging(environment) { $1 }, in: folder)
    }
    #expect(run.status == 0, "\(run.errors)")
    func export(_ state: String, to file: String) async throws -> Program.Ended {
      try await history("export", "--format", "ndjson", "-o", file, "--state", state)
    }
    #expect(try await export("kept.db", to: "backup").status == 0)
    let backup = try folder.text(of: "backup")
    #expect(backup.split(separator: "\n").count > 10)
    // Misspelled.
    let missing = try await export("kpet.db", to: "backup")
    #expect(missing.status == 66 && missing.errors.contains("nothing has been kept yet"))
    #expect(missing.errors.contains("backup was not changed: no history was read"))
    #expect(try folder.text(of: "backup") == backup)
    let new = try await export("kpet.db", to: "other")
    #expect(try new.status == 66 && folder.names.contains("other"))
    #expect(try await history("list", "--state", "kpet.db").status == 66)
    #expect(try await history("stats", "--state", "kpet.db", "-o", "backup").status == 66)

    let file = try FileHandle(forWritingTo: URL(filePath: folder["kept.db"]))
    try file.truncate(atOffset: 50_000)
    let damaged = try await export("kept.db", to: "backup")
    #expect(damaged.status == 66 && damaged.errors.contains("the history was damaged"))
    #expect(try folder.text(of: "backup") == backup)
  }

  @Test(arguments: ["\"", "\"\"", "#", " \u{AD}"])
  func `A query that names nothing is refused`(query: String) async throws {
    for command in ["search", "stats"] {
      let ended = try await Program.searchagg.run(
        ["history", command, "--", query], in: try Folder())
      #expect(ended.status == 64 && ended.output.isEmpty, "\(ended.errors)")
    }
  }

  private static func posts(_ count: Int) -> String { count == 1 ? "1 post" : "\(count) posts" }

  @Test(arguments: ["--no-history", "--no-state"])
  func `A run keeps no posts when it is told so`(option: String) async throws {
    try await Networks.with { networks in
      let folder = try Folder()
      let environment = networks.withHistory
      let ended = try await Program.searchagg.run(
        ["run", "#swift", option], environment: environment, in: folder)
      #expect(ended.status == 0, "\(ended.errors)")
      let list = try await Program.searchagg.run(["history", "list"], in: folder)
      #expect(list.errors.contains("nothing has been kept yet"))
    }
  }

  @Test func `Nothing that a run has kept is lost when runs and readers are killed`() async throws {
    let runs = ProcessInfo.processInfo.environment["KILLED_RUNS"].flatMap { Int($0) } ?? 20
    var random = SeededRandom(seed: 17)
    try await Networks.with { networks in
      let folder = try Folder()
      let environment = networks.environment.merging([
        "SEARCHAGG_NO_HISTORY": "false", "SEARCHAGG_NOW": Networks.now,
        "SEARCHAGG_SOURCE": "hackernews,lobsters,x",
      ]) { $1 }
      func run(_ arguments: [String], killedAfter seconds: Double) async throws -> Program.Ended {
        try await Program(path: "/usr/bin/timeout").run(
          ["--signal=KILL", "\(seconds)", Program.searchagg.path] + arguments,
          environment: environment, in: folder)
      }
      let begin = ContinuousClock.now
      _ = try await run(["run", "first", "--format", "ndjson"], killedAfter: 60)
      let duration = (ContinuousClock.now - begin) / .seconds(1)
      var kept: Set<String> = []
      var killed = 0
      for number in 0..<runs {
        // At a random moment of the process, or after its end; one is left alone and one ends at once, however
        // fast the machine is.
        var moments = (0..<2).map { _ in Double.random(in: 0.001...duration * 1.5, using: &random) }
        if number < 2 { moments[0] = number == 0 ? 60 : 0.001 }
        let ended = try await run(
          ["run", "word\(number % 7)", "more\(number)", "--format", "ndjson"],
          killedAfter: moments[0])
        if ended.status == 0 {
          kept.formUnion(try ended.objects.compactMap { $0["uri"] as? String })
        } else {
          killed += 1
        }
        let stats = try await run(["history", "stats"], killedAfter: moments[1])
        if stats.status != 0 { killed += 1 }
      }
      let exported = try await run(["history", "export", "--format", "ndjson"], killedAfter: 60)
      #expect(exported.status == 0, "\(exported.errors)")
      let found = try exported.objects.compactMap { $0["uri"] as? String }
      #expect(killed > 0 && !kept.isEmpty)
      #expect(Set(found).count == found.count)
      #expect(kept.subtracting(found) == [])
    }
  }
}
