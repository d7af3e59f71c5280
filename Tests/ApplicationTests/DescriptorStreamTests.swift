import Foundation
import TestSupport
import Testing

@testable import Application

@Suite struct DescriptorStreamTests {
  /// `F_GETPIPE_SZ` of Linux, a macro that Swift does not see.
  private static let getPipeSize: Int32 = 1024 + 8
  private static let largestPipe: Int32 = 1 << 20

  private let pipe = Pipe()

  private var writing: Int32 { pipe.fileHandleForWriting.fileDescriptor }
  private var size: Int32 { fcntl(writing, Self.getPipeSize) }

  /// Writes to the pipe while another thread reads it to the end; returns what that has read.
  private func read(_ bytes: [UInt8]) async throws -> [UInt8] {
    async let all = Task.detached { [pipe] in pipe.fileHandleForReading.readDataToEndOfFile() }
      .value
    try DescriptorStream(descriptor: writing).write(bytes)
    let size = size
    try pipe.fileHandleForWriting.close()
    let read = await all
    #expect(size == Self.largestPipe)
    return Array(read)
  }

  @Test func `A large output makes its pipe larger, so that its reader is woken less often`()
    async throws
  {
    let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
    #expect(try await read(bytes) == bytes)
  }

  @Test func `A small output leaves its pipe as it is`() throws {
    let before = size
    try DescriptorStream(descriptor: writing).write(Array(repeating: 1, count: 1000))
    #expect(size == before && before < Self.largestPipe)
  }

  @Test func `A file is no pipe, and is written all the same`() throws {
    let folder = try Folder()
    let bytes = [UInt8](repeating: 7, count: 100_000)
    #expect(FileManager.default.createFile(atPath: folder["out"], contents: nil))
    let file = try #require(FileHandle(forWritingAtPath: folder["out"]))
    try DescriptorStream(descriptor: file.fileDescriptor).write(bytes)
    #expect(folder.bytes(of: "out") == bytes)
  }
}
