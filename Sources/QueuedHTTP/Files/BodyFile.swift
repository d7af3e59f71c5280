internal import SafeFiles
internal import Synchronization

/// A response's body on its way into a file, which has its name only when it is whole.
final class BodyFile: Sendable {
  private struct Content: ~Copyable {
    var replacement: FileReplacement?
    var part: PartialFile?
  }

  private let content: Mutex<Content>

  /// Opens the file beside the path; `asked` is the rest of it that was asked for.
  init(
    _ path: String, resumes: Bool, head: HTTPResponse, from address: String,
    asked: PartialFile.Rest?
  ) throws(HTTPError) {
    var opened = Content()
    if resumes {
      opened.part = try PartialFile.open(path, head: head, from: address, asked: asked)
    } else {
      do throws(FileWriteError) { opened.replacement = try FileReplacement(of: path) } catch {
        throw Self.failure(error)
      }
    }
    content = Mutex(opened)
  }

  @unsafe
  func write(_ bytes: UnsafeRawBufferPointer) throws(HTTPError) {
    try content.withLock { content throws(HTTPError) in
      do throws(FileWriteError) { try unsafe content.replacement?.write(bytes) } catch {
        throw Self.failure(error)
      }
      try unsafe content.part?.write(bytes)
    }
  }

  /// Throws where the file is not whole.
  func checkEnd() throws(HTTPError) {
    try content.withLock { content throws(HTTPError) in try content.part?.checkEnd() }
  }

  /// Gives the file its name.
  func commit() throws(HTTPError) {
    try content.withLock { content throws(HTTPError) in
      if let replacement = content.replacement.take() {
        do throws(FileWriteError) { try replacement.commit() } catch { throw Self.failure(error) }
      }
      if let part = content.part.take() { try part.commit() }
    }
  }

  /// Removes what came, unless a later request may go on with it.
  func discard() {
    content.withLock { content in
      content.replacement = nil
      content.part = nil
    }
  }

  private static func failure(_ error: FileWriteError) -> HTTPError {
    HTTPError(.file, reason: error.description)
  }
}
