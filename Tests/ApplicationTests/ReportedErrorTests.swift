import PostHistory
import SafeFiles
import SearchModel
import TestSupport
import Testing
import TextFormats

@testable import Application

@Suite struct ReportedErrorTests {
  private static let malformed = DocumentError(
    position: TextPosition(line: 2, column: 1), message: "expected a list")

  @Test(
    arguments: [
      (FileReadError.missing(path: "/x/a"), .unreadableInput, "/x/a: no such file"),
      (
        FileReadError.tooLarge(path: "/x/a", limit: 2 << 20), .malformedInput,
        "/x/a: is larger than 2 MiB"
      ),
      (
        FileWriteError.noDirectory(path: "/x/a"), .cannotWrite,
        "/x/a: its folder does not exist"
      ),
      (malformed, .malformedInput, "line 2, column 1: expected a list"),
      (HistoryError.failed(path: "/h", reason: "is busy"), .unreadableInput, "/h: is busy"),
      (HistoryError.unavailable(path: "/h", reason: "is away"), .tryLater, "/h: is away"),
      (HistoryError.unsupported(path: "/h", reason: "is missing"), .unavailable, "/h: is missing"),
      (
        Failure(.credential, message: "no token", advice: "set T"), .noCredential, "no token: set T"
      ),
      (Failure(.temporary, message: "refused"), .unavailable, "refused"),
      (OutputFailure.failed(reason: "full"), .cannotWrite, "cannot write the output: full"),
      (OutputFailure.closed, .success, nil),
      (
        InputFailure.tooLarge(limit: 1 << 16), .malformedInput,
        "standard input is larger than 64 KiB"
      ),
    ] as [(any ReportedError, CommandStatus, String?)])
  func `Each error has its exit status and its line`(
    error: any ReportedError, status: CommandStatus, line: String?
  ) {
    #expect(error.exitStatus == status)
    #expect(error.line == line)
  }

  @Test func `An error is reported under the name and with the status that the caller gives`() {
    let read = FileReadError.missing(path: "/home/a/tags.json")
    #expect(throws: CommandFailure(.unreadableInput, "tags.json: no such file")) {
      try naming("tags.json") { throw read }
    }
    #expect(throws: CommandFailure(.badConfiguration, "c.json: line 2, column 1: expected a list"))
    {
      try naming("c.json", failingWith: .badConfiguration) { throw Self.malformed }
    }
    // It has a line of its own already.
    let usage = CommandFailure(.usage, "name one")
    #expect(throws: usage) { try naming("c.json") { throw usage } }
  }
}
