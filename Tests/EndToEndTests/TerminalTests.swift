import Foundation
import TestSupport
import Testing

@Suite(.serialized) struct TerminalTests {
  /// The bytes that a terminal would act on, once the sequences that are our own are taken away.
  private func controls(in shown: String, isPlain: Bool) -> [Unicode.Scalar] {
    var text = shown
    if !isPlain {
      // Ours: SGR, erase the line and what is below it, and OSC 8 links.
      let own = /\u{1B}\[[0-9;]*[mJKB]|\u{1B}\[\?7[lh]|\u{1B}[78]|\u{1B}\]8;[^\u{1B}\u{7}]*\u{1B}\\/
      text = text.replacing(own, with: "")
    }
    return text.unicodeScalars.filter { scalar in
      let isBidirectional =
        (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
      return isBidirectional
        || (scalar.properties.generalCategory == .control && !["\n", "\r"].contains(scalar))
    }
  }

  @Test(arguments: [false, true])
  func `Hostile posts reach a terminal as plain text`(isPlain: Bool) async throws {
    try await Networks.with { networks in
      let faults = Dictionary(uniqueKeysWithValues: Networks.sources.map { ($0, "~hostile") })
      var environment = networks.environment(faults: faults)
      if isPlain { environment["NO_COLOR"] = "1" }
      let ended = try await PseudoTerminal().run(
        .searchagg, ["run", "#swift"] + (isPlain ? ["--progress", "never"] : []),
        environment: environment, in: Folder())
      #expect(ended.status == 0)
      #expect(ended.output.utf8.count > 1000)
      #expect(controls(in: ended.output, isPlain: isPlain) == [])
    }
  }

  @Test func `No line is wider than the terminal`() async throws {
    try await Networks.with { networks in
      var environment = networks.environment
      environment["NO_COLOR"] = "1"
      let ended = try await PseudoTerminal(columns: 60).run(
        .searchagg, ["run", "#swift", "--progress", "never", "--source", "hackernews"],
        environment: environment, in: Folder())
      let lines = ended.output.split(separator: "\r\n" as Character)
      #expect(lines.count > 20)
      // A word without a blank, such as an address, is not cut.
      for line in lines where line.count > 60 { #expect(line.contains("http")) }
    }
  }

  @Test(
    arguments: [
      ("cat -n | sed 's/^/paged/'", "paged", nil),
      (
        "exit 3", "https://",
        "searchagg: the pager 'exit 3' ended with status 3; SEARCHAGG_PAGER=cat turns it off"
      ),
      ("no-such-pager", "https://", nil),
    ] as [(String, String, String?)])
  func `Posts are printed where a pager fails`(
    pager: String, shown: String, line: String?
  ) async throws {
    try await Networks.with { networks in
      var environment = networks.environment
      environment["SEARCHAGG_PAGER"] = pager
      let ended = try await PseudoTerminal(columns: 120, rows: 10).run(
        .searchagg, ["run", "#swift", "--progress", "never", "--source", "hackernews"],
        environment: environment, in: Folder())
      #expect(ended.status == 0)
      #expect(ended.output.contains(shown))
      let reports = ended.output.split(separator: "\r\n" as Character)
        .filter { $0.contains("the pager") }
      #expect(reports.map(String.init) == (line.map { [$0] } ?? []))
    }
  }

  @Test func `A signal ends a run whose pager is open`() async throws {
    try await Networks.with { networks in
      let folder = try Folder()
      var environment = networks.environment
      environment["SEARCHAGG_PAGER"] =
        "exec > /dev/null 2>&1 < /dev/null; kill -TERM $PPID; sleep 20; echo > late"
      let ended = try await PseudoTerminal(columns: 120, rows: 10).run(
        .searchagg, ["run", "#swift", "--progress", "never", "--source", "hackernews"],
        environment: environment, in: folder)
      #expect(ended.status != 0)
      #expect(try !folder.names.contains("late"))
    }
  }

  @Test func `The progress line appears while a run is slow and is gone at the end`() async throws {
    try await Networks.with { networks in
      let ended = try await PseudoTerminal().run(
        .searchagg, ["run", "#swift", "--source", "hackernews"],
        environment: networks.environment(faults: ["hackernews": "~latency=300"]), in: Folder())
      let text = ended.output
      let erase = "\r\u{1B}[K\u{1B}7\u{1B}[B\u{1B}[J\u{1B}8"
      #expect(text.contains("\(erase)\u{1B}[?7l0/1 search · 0 posts\u{1B}[?7h\r"))
      let after = text.components(separatedBy: "0/1 search · 0 posts").last ?? ""
      #expect(after.contains(erase))
    }
  }

  @Test func `The progress line names a server that does not answer`() async throws {
    try await Networks.with { networks in
      let ended = try await PseudoTerminal().run(
        .searchagg,
        ["run", "#swift", "--source", "hackernews", "--timeout", "5s", "--retries", "0"],
        environment: networks.environment(faults: ["hackernews": "~stall"]), in: Folder())
      #expect(ended.output.contains("0/1 search · 0 posts\u{1B}[?7h"))
      #expect(ended.output.contains(/0\/1 search · 0 posts · waiting for 127\.0\.0\.1 [2-5] s/))
    }
  }

  @Test func `Without a terminal there is no color, and dates are in UTC`() async throws {
    try await Networks.with { networks in
      let ended = try await Program.searchagg.run(
        ["run", "#swift", "--source", "hackernews"], environment: networks.environment,
        in: Folder())
      #expect(!ended.output.contains("\u{1B}"))
      #expect(ended.output.contains(/2026-11-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/))
      #expect(ended.errors == "")
    }
  }
}
