import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@testable import Application

@Suite struct OutputSinkTests {
  /// A reader that leaves after some bytes.
  private final class Reader: OutputStreaming {
    private let limit: Int
    private let bytes = Mutex<[UInt8]>([])

    init(limit: Int = .max) { self.limit = limit }

    var text: String { String(decoding: bytes.withLock { $0 }, as: UTF8.self) }
    var isClosed: Bool { bytes.withLock { $0.count >= limit } }

    func write(_ new: [UInt8]) throws(OutputFailure) {
      if isClosed { throw .closed }
      bytes.withLock { $0 += new }
    }
  }

  private struct NoProgress: ProgressDisplay {
    let isAnimated = false
    func show(_ parts: @Sendable () -> [String]) async {}
    func end() {}
  }

  private struct Interruption: Error {}

  private let folder: Folder

  init() throws { folder = try Folder() }

  private func sink(to path: String?, reader: Reader = Reader()) throws -> OutputSink {
    try OutputSink(
      to: path,
      in: Surroundings(
        workingDirectory: folder.path, output: reader, errors: Reader(), now: { Date() },
        steadyClock: .live, progressLine: { NoProgress() }, host: SharedProcess()))
  }

  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  @Test func `A file is replaced as a whole, and stays when the output ends early`() throws {
    try folder.write("old", to: "posts")
    let sink = try sink(to: "posts")
    #expect(throws: Interruption.self) {
      try sink.write { write in
        try write(bytes("half"))
        throw Interruption()
      }
    }
    #expect(try folder.text(of: "posts") == "old")
    try sink.write { write in
      try write(bytes("a\n"))
      try write(bytes("b\n"))
    }
    #expect(try folder.text(of: "posts") == "a\nb\n")
    #expect(try folder.names == ["posts"])
  }

  @Test func `A file that grows has its heading once, also after it was moved away`() throws {
    let sink = try sink(to: "posts")
    for line in ["1\n", "2\n"] { try sink.append(bytes(line), after: bytes("n\n")) }
    #expect(try folder.text(of: "posts") == "n\n1\n2\n")
    try FileManager.default.removeItem(atPath: folder["posts"])
    try sink.append(bytes("3\n"), after: bytes("n\n"))
    #expect(try folder.text(of: "posts") == "n\n3\n")
  }

  @Test func `Standard output has its heading once, and no more when the reader has gone`() throws {
    let reader = Reader(limit: 4)
    let sink = try sink(to: nil, reader: reader)
    for line in ["1\n"] { try sink.append(bytes(line), after: bytes("n\n")) }
    #expect(reader.text == "n\n1\n")
    #expect(sink.isClosed)
    #expect(throws: OutputFailure.closed) { try sink.append(bytes("2\n"), after: bytes("n\n")) }
  }

  @Test func `A device is written without being replaced, and errors name it`() throws {
    let sink = try sink(to: "/dev/full")
    #expect(!sink.isFile)
    let failure = #expect(throws: OutputFailure.self) {
      try sink.append(bytes("1\n"), after: [])
    }
    #expect(failure?.line == "cannot write /dev/full: No space left on device")
    #expect(failure?.exitStatus == .cannotWrite)
  }

  @Test func `An unwritable file is refused before anything is written, by the name given`() throws
  {
    let failure = #expect(throws: CommandFailure.self) { try sink(to: "missing/posts") }
    #expect(
      failure == CommandFailure(.cannotWrite, "missing/posts: its folder does not exist"))
  }
}
