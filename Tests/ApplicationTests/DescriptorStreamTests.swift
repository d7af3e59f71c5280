import Foundation
import Testing

@testable import Application

@Suite struct DescriptorStreamTests {
  /// Another process that shares a terminal or a pipe may have made it one that does not wait.
  @Test func `An input that does not block is waited for`() async throws {
    let pipe = Pipe()
    let input = pipe.fileHandleForReading.fileDescriptor
    #expect(fcntl(input, F_SETFL, O_NONBLOCK) == 0)
    let writing = Task.detached {
      for text in ["first line\n", "second ", "line"] {
        try await Task.sleep(for: .milliseconds(50))
        try pipe.fileHandleForWriting.write(contentsOf: Data(text.utf8))
      }
      try pipe.fileHandleForWriting.close()
    }
    let stream = DescriptorStream(descriptor: input)
    let line = try stream.readLine(limit: 100)
    let rest = try stream.readAll(limit: 100)
    #expect(String(decoding: line, as: UTF8.self) == "first line")
    #expect(String(decoding: rest, as: UTF8.self) == "second line")
    try await writing.value
  }
}
