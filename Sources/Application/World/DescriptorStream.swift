internal import FoundationEssentials
internal import Glibc
internal import SafeFiles

/// A destination of bytes: a standard stream, a file, or a test's buffer.
package protocol OutputStreaming: Sendable {
  /// Writes all of the bytes, or throws.
  func write(_ bytes: [UInt8]) throws(OutputFailure)

  /// True if the reader has gone, so that nothing more can be written.
  var isClosed: Bool { get }
}

extension OutputStreaming {
  package var isClosed: Bool { false }
}

/// The reason bytes could not be written.
package enum OutputFailure: ReportedError, Hashable, Sendable {
  /// The reader has gone (EPIPE): not an error, but there is no point in writing more.
  case closed
  /// The system's message, such as "No space left on device".
  ///
  /// - Parameter name: The pipe or device; nil for standard output.
  case failed(name: String? = nil, reason: String)

  package var exitStatus: CommandStatus {
    switch self {
    case .closed: .success
    case .failed: .cannotWrite
    }
  }

  package var line: String? {
    switch self {
    case .closed: nil
    case .failed(let name, let reason): "cannot write \(name ?? "the output"): \(reason)"
    }
  }
}

/// A source of bytes, such as standard input.
package protocol InputStreaming: Sendable {
  /// Reads to the end; throws if that fails or there are more than `limit` bytes.
  func readAll(limit: Int) throws(InputFailure) -> [UInt8]
}

/// The reason standard input could not be read.
package enum InputFailure: ReportedError, Hashable, Sendable {
  /// More bytes came than the limit.
  case tooLarge(limit: Int)
  /// The system's message.
  case failed(reason: String)

  package var exitStatus: CommandStatus {
    switch self {
    case .tooLarge: .malformedInput
    case .failed: .unreadableInput
    }
  }

  package var line: String? {
    switch self {
    case .tooLarge(let limit):
      limit < 1 << 20
        ? "standard input is larger than \(limit >> 10) KiB"
        : "standard input is larger than \(limit >> 20) MiB"
    case .failed(let reason): "cannot read standard input: \(reason)"
    }
  }
}

/// A stream over a file descriptor of this process, such as standard output.
package struct DescriptorStream: OutputStreaming, InputStreaming {
  private let descriptor: Int32
  /// The name of the pipe or device; nil for a standard stream.
  private let name: String?

  /// A stream of this process that is open already.
  package init(descriptor: Int32) { (self.descriptor, name) = (descriptor, nil) }

  /// Opens a pipe or a device for the rest of the process. One that is open already, such as /dev/stdout, is written to
  /// where it stands, also if it is a file.
  ///
  /// - Parameter name: Its path as the user wrote it.
  init(writingTo path: String, named name: String) throws(OutputFailure) {
    self.name = name
    // A named pipe waits for its reader.
    OutputStall.beginWriting(to: -1)
    defer { OutputStall.endWriting(to: -1) }
    let named = OpenDescriptor.number(namedBy: path)
    descriptor = named.map { fcntl($0, F_DUPFD_CLOEXEC, 0) } ?? open(path, O_WRONLY | O_CLOEXEC)
    if descriptor < 0 { throw .failed(name: name, reason: String(cString: strerror(errno))) }
  }

  package var isClosed: Bool {
    var status = pollfd(fd: descriptor, events: 0, revents: 0)
    return poll(&status, 1, 0) > 0 && Int32(status.revents) & (POLLERR | POLLHUP | POLLNVAL) != 0
  }

  package func write(_ bytes: [UInt8]) throws(OutputFailure) {
    OutputStall.beginWriting(to: descriptor)
    defer { OutputStall.endWriting(to: descriptor) }
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        systemWrite(descriptor, buffer.baseAddress.map { $0 + written }, bytes.count - written)
      }
      if count >= 0 {
        written += count
        OutputStall.note()
      } else if errno == EPIPE {
        throw .closed
      } else if errno == EBADF {
        throw .failed(name: name, reason: "it is closed (>&-)")
      } else if errno == EAGAIN {
        wait(for: POLLOUT)
      } else if errno != EINTR {
        throw .failed(name: name, reason: String(cString: strerror(errno)))
      }
    }
  }

  /// Reads up to the end of a line, which is left out, or of the input.
  package func readLine(limit: Int) throws(InputFailure) -> [UInt8] {
    var bytes: [UInt8] = []
    var byte: [UInt8] = [0]
    while true {
      let count = try read(into: &byte)
      if count == 0 || byte[0] == UInt8(ascii: "\n") { return bytes }
      guard bytes.count < limit else { throw .tooLarge(limit: limit) }
      bytes.append(byte[0])
    }
  }

  package func readAll(limit: Int) throws(InputFailure) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = try read(into: &chunk)
      if count == 0 { return bytes }
      guard bytes.count + count <= limit else { throw .tooLarge(limit: limit) }
      bytes.append(contentsOf: chunk[..<count])
    }
  }

  /// Waits until the descriptor, which does not block, is ready.
  private func wait(for events: Int32) {
    var waiting = pollfd(fd: descriptor, events: Int16(events), revents: 0)
    poll(&waiting, 1, -1)
  }

  /// Waits for bytes, and returns their number; 0 at the end. Another process may have made the stream one that does
  /// not wait.
  private func read(into buffer: inout [UInt8]) throws(InputFailure) -> Int {
    while true {
      let count = systemRead(descriptor, &buffer, buffer.count)
      if count >= 0 { return count }
      if errno == EAGAIN {
        wait(for: POLLIN)
      } else if errno != EINTR {
        throw .failed(reason: String(cString: strerror(errno)))
      }
    }
  }
}

// The methods above hide the system's functions of the same name.
private let systemWrite: @Sendable (Int32, UnsafeRawPointer?, Int) -> Int = { write($0, $1, $2) }
private let systemRead: @Sendable (Int32, UnsafeMutableRawPointer?, Int) -> Int = {
  read($0, $1, $2)
}
