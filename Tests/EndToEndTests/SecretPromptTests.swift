import Foundation
import TestSupport
import Testing

/// `auth set` on a terminal.
@Suite(.serialized) struct SecretPromptTests {
  @Test func `A secret that is typed is stored and never shown`() async throws {
    let folder = try Folder()
    let session = try TerminalSession(.searchagg, ["auth", "set", "GITHUB_TOKEN"], in: folder)
    #expect(session.echoes)
    try await session.wait(for: "GITHUB_TOKEN: ")
    #expect(!session.echoes)
    session.type("s3cret-t0ken\n")
    try await session.ended()
    #expect(session.echoes)
    #expect(!session.shown.contains("s3cret") && session.shown.contains("stored GITHUB_TOKEN"))
    let stored = try folder.text(of: ".config/searchagg/credentials.json")
    #expect(stored.contains("s3cret-t0ken"))
  }

  @Test func `No other key ends the prompt, and leaves a terminal that does not echo`() async throws
  {
    let folder = try Folder()
    // The shell outlives the signals, and says how it finds the terminal.
    let command = "trap : INT QUIT; \(Program.searchagg.path) auth set GITHUB_TOKEN; stty -a"
    // Swift's backtraces would catch Ctrl-\.
    let session = try TerminalSession(
      Program(path: "/bin/sh"), ["-c", command], environment: ["SWIFT_BACKTRACE": "enable=no"],
      in: folder)
    try await session.wait(for: "GITHUB_TOKEN: ")
    // Ctrl-\, and Ctrl-C for what is not ended by it.
    session.type("\u{1C}")
    try await Task.sleep(for: .milliseconds(100))
    session.type("\u{3}")
    try await session.ended()
    #expect(session.shown.contains(" echo ") && !session.shown.contains(" -echo "))
    #expect(try folder.names == [])
  }

  @Test func `Ctrl-C at the prompt makes the terminal echo again, and stores nothing`()
    async throws
  {
    let folder = try Folder()
    let session = try TerminalSession(.searchagg, ["auth", "set", "GITHUB_TOKEN"], in: folder)
    try await session.wait(for: "GITHUB_TOKEN: ")
    session.type("half a s3cret")
    session.type("\u{3}")
    try await session.ended()
    #expect(session.echoes)
    #expect(!session.shown.contains("s3cret"), "\(session.shown)")
    #expect(try folder.names == [])
  }
}
