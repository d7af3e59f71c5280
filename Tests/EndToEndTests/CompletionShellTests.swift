import Foundation
import TestSupport
import Testing

/// The completion scripts in the shells that they are for.
@Suite(.serialized) struct CompletionShellTests {
  /// Calls the shell's own function with a command line, and prints the candidates.
  private static let scripts = [
    "bash": #"""
    source <(searchagg completion bash)
    COMP_WORDS=(searchagg "$@") COMP_CWORD=$#
    _searchagg
    printf '%s\n' "${COMPREPLY[@]}"
    """#,
    "zsh": #"""
    compdef() { }
    compadd() { print -rl -- "${values[@]}" }
    source <(searchagg completion zsh)
    words=(searchagg "$@") CURRENT=$(($# + 1))
    _searchagg
    """#,
    "fish": #"""
    searchagg completion fish | source
    complete -C (string join -- ' ' searchagg $argv)
    """#,
  ]

  private func candidates(
    _ shell: String, _ words: [String], in folder: Folder
  ) async throws -> [String] {
    let script = try #require(Self.scripts[shell])
    let path = try folder.write(script, to: "script")
    let options = ["bash": ["--norc"], "zsh": ["-f"], "fish": ["--no-config"]]
    let bin = URL(filePath: Program.searchagg.path).deletingLastPathComponent().path
    let ended = try await Program(path: "/usr/bin/env").run(
      [shell] + (options[shell] ?? []) + [path] + words,
      environment: ["PATH": "\(bin):/usr/local/bin:/usr/bin:/bin"], in: folder)
    #expect(ended.status == 0, "\(ended.errors)")
    return ended.lines.map { line in String(line.prefix { $0 != "\t" }) }
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func `A shell completes a source, a format and a command`(shell: String) async throws {
    let folder = try Folder()
    #expect(
      try await candidates(shell, ["run", "--source", "hack"], in: folder) == ["hackernews"])
    #expect(try await candidates(shell, ["run", "--format", "nd"], in: folder) == ["ndjson"])
    #expect(try await candidates(shell, ["sou"], in: folder) == ["sources"])
  }

  @Test(arguments: [
    (["from", ":", "b"], "from:b", ["bob"]), (["from", ":"], "from:", [#"amy\ x"#, "bob"]),
    (["from"], "from", [#"from:amy\ x"#, "from:bob"]), (["'from:b"], "'from:b", ["from:bob"]),
    (["from", ":", "b"], "from : b", []),
  ])
  func `Bash, which cuts words at colons, completes tags that have one`(
    words: [String], line: String, found: [String]
  ) async throws {
    let folder = try Folder()
    try folder.write(#"{"tags": ["from:amy x", "from:bob", "a"]}"#, to: "tags.json")
    let path = try folder.write(
      "COMP_LINE='searchagg tags remove '$1\nshift\n" + (Self.scripts["bash"] ?? ""), to: "script")
    let bin = URL(filePath: Program.searchagg.path).deletingLastPathComponent().path
    let ended = try await Program(path: "/usr/bin/env").run(
      ["bash", "--norc", path, line, "tags", "remove"] + words,
      environment: ["PATH": "\(bin):/usr/bin:/bin"], in: folder)
    #expect(ended.lines.filter { !$0.isEmpty } == found, "\(ended.errors)")
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func `A hostile tag is offered as text, and nothing runs`(shell: String) async throws {
    let folder = try Folder()
    try folder.write(
      ##"{"tags": ["$(touch x)", "`touch x`", "; touch x", "a b"]}"##, to: "tags.json")
    let found = try await candidates(shell, ["tags", "remove", ""], in: folder)
    #expect(found.count == 4, "\(found)")
    let plain = found.map { $0.filter { !#"\'"#.contains($0) } }
    #expect(
      Set(plain) == ["$(touch x)", "`touch x`", "; touch x", "a b"], "\(found)")
    #expect(!FileManager.default.fileExists(atPath: folder["x"]))
  }
}
