import FoundationEssentials
import TestSupport
import Testing

@testable import SearchAggCLI

/// The argument parser is the judge: what is read without it must come to the same.
@Suite struct PlainCommandLineTests {
  /// The parser takes a second for a line in a debug build; `PLAIN_LINES` asks for more.
  private static let lines =
    ProcessInfo.processInfo.environment["PLAIN_LINES"].flatMap { Int($0) } ?? 6

  @Test(arguments: 0..<3)
  func `Generated command lines of a run and a watch are read as the parser reads them`(
    seed: Int
  ) throws {
    var random = SeededRandom(seed: UInt64(seed))
    for _ in 0..<PlainCommandLineTests.lines {
      let isRun = Bool.random(using: &random)
      let options = isRun ? RunOptions.settings : WatchOptions.settings
      let isPlain = Bool.random(using: &random)
      var line = [isRun ? "run" : "watch"]
      for _ in 0..<Int.random(in: 0...5, using: &random) {
        line +=
          isPlain || Bool.random(using: &random)
          ? Self.plainWords(options, &random) : Self.oddWords(options, &random)
      }
      try expectSame(line, isPlain: isPlain)
    }
  }

  @Test(arguments: ["run", "watch"])
  func `Every option of the help is plain`(command: String) throws {
    let settings = command == "run" ? RunOptions.settings : WatchOptions.settings
    let options = settings.filter { $0.places.contains(.option) }
    #expect(options.count > 40)
    let line = options.flatMap { $0.form == .flag ? ["--\($0.name)"] : ["--\($0.name)", "7"] }
    try expectSame([command, "word"] + line + ["other"], isPlain: true)
    let short = options.filter { $0.short != nil }.flatMap { setting in
      ["-\(setting.short ?? "-")"] + (setting.form == .flag ? [] : ["7"])
    }
    try expectSame([command] + short, isPlain: true)
  }

  @Test(arguments: [
    ["--help"], ["-h"], ["--version"], ["help"], ["--experimental-dump-help"],
    ["--generate-completion-script", "bash"], ["--lim", "3"], ["-n3"], ["-qv"], ["-n=3"],
    ["--quiet=true"], ["--limit"], ["--limit", "--quiet"], ["--limit", "-3"], ["--limit="],
    ["--quiet="], ["--limit=\u{301}3"], ["--limit", "-\u{301}3"], ["-\u{301}n", "3"], ["--"],
    ["--", "-n"],
    ["-", "--output", "-"], [""], ["--exclude", "a", "--exclude=", "--exclude", "b,c"],
    ["--limit", "1", "--limit=2"], ["--now", "today"], ["—limit", "3"], ["---limit", "3"], ["-é"],
    ["a=b", "--since=a=b"],
  ])
  func `What is special to the parser is the same without it, or left to it`(words: [String]) throws
  {
    try expectSame(["run", "word"] + words + ["word"], isPlain: nil)
    try expectSame(["watch"] + words, isPlain: nil)
  }

  @Test func `A plain list of the tags has its options`() throws {
    let words = ["tags", "list", "--tags-file", "a.json", "--state=b.db"]
    guard case .tagsList(let line) = PlainCommand(words) else {
      Issue.record("left to the parser")
      return
    }
    let parsed = try #require(try CommandLineRunner.command(words) as? TagsList)
    #expect(line.texts == ["tags-file": "a.json", "state": "b.db"])
    #expect(line.texts == parsed.file.texts.merging(parsed.state.texts) { $1 })
    #expect(parsed.format == .text)
  }

  @Test(arguments: [
    ["tags", "list", "word"], ["tags", "list", "--format", "json"], ["tags", "list", "--limit=1"],
    ["tags"], ["tags", "--help"], ["list"], ["history"], ["--version"], [],
  ])
  func `Other commands are left to the parser`(words: [String]) {
    #expect(PlainCommand(words) == nil, "\(words)")
  }

  /// Reads a command line in both ways, and compares queries and options.
  ///
  /// - Parameter isPlain: True if the parser must not be needed; nil if it does not matter.
  private func expectSame(_ line: [String], isPlain: Bool?) throws {
    let plain = PlainCommand(line)
    guard plain != nil else {
      #expect(isPlain != true, "left to the parser: \(line)")
      return
    }
    let parsed = try? CommandLineRunner.command(line)
    switch plain {
    case .run(let plain):
      let run = try #require(parsed as? RunCommand, "refused by the parser: \(line)")
      #expect(plain.words == run.queries, "\(line)")
      #expect(plain.texts == run.options.texts, "\(line)")
    case .watch(let plain):
      let watch = try #require(parsed as? WatchCommand, "refused by the parser: \(line)")
      #expect(plain.words == watch.queries, "\(line)")
      #expect(plain.texts == watch.options.texts, "\(line)")
    case .tagsList, nil:
      Issue.record("another command: \(line)")
    }
  }

  /// A query, or an option of the table with its value.
  private static func plainWords(_ options: [Setting], _ random: inout SeededRandom) -> [String] {
    let values = ["7", "#swift", "two words", "", "-", "a,b", "run", "日本", "x=y"]
    let value = values.randomElement(using: &random) ?? ""
    let known = options.filter { $0.places.contains(.option) }
    guard Bool.random(using: &random), let option = known.randomElement(using: &random) else {
      return [value]
    }
    if option.form == .flag { return ["--\(option.name)"] }
    if let short = option.short, Bool.random(using: &random) { return ["-\(short)", value] }
    return !value.isEmpty && Bool.random(using: &random)
      ? ["--\(option.name)=\(value)"] : ["--\(option.name)", value]
  }

  /// Words that are no option, or one without a value, or that mean something else to the parser.
  private static func oddWords(_ options: [Setting], _ random: inout SeededRandom) -> [String] {
    let odd = [
      "--", "---", "-5", "--bogus", "--help", "-h", "--version", "-qv", "-n5", "-n=5", "-nq", "-=",
      "--=", "--limit", "--quiet=1", "--limit=", "-\u{301}", "--limit\u{301}", "help",
    ]
    let name = options.randomElement(using: &random)?.name ?? ""
    let words = odd + ["--\(name)", "--\(name.dropLast())", "-\(name)", "--\(name)\u{301}=1"]
    return [words.randomElement(using: &random) ?? ""]
  }
}
