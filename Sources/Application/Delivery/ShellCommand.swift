internal import Dispatch
internal import Glibc
internal import Synchronization

/// A command that /bin/sh runs, in a process group of its own: bytes go to its standard input, and its
/// output goes to our standard error.
final class ShellCommand: Sendable {
  private let command: String
  private let environment: [String: String]
  private let limit: Duration
  /// With a thread of its own, as waiting for another process would block a thread of Swift's cooperative pool.
  private let queue = DispatchQueue(label: "command")
  /// The process that runs now; nil for none, and for good once the command was stopped.
  private let child = Mutex<(process: pid_t?, isStopped: Bool)>((nil, false))

  /// - Parameters:
  ///   - environment: All of its variables.
  ///   - limit: The time after which its process group is killed.
  init(_ command: String, environment: [String: String], limit: Duration = .seconds(60)) {
    self.command = command
    self.environment = environment
    self.limit = limit
  }

  /// Runs it to its end; returns the reason why it failed, or nil.
  func run(reading bytes: [UInt8]) async -> String? {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: self.runAndWait(bytes)) }
    }
  }

  /// Kills it if it runs, and prevents another start.
  func stop() {
    child.withLock { child in
      child.isStopped = true
      if let process = child.process { kill(-process, SIGKILL) }
    }
  }

  private func runAndWait(_ bytes: [UInt8]) -> String? {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return Self.systemError }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let (reader, writer) = (ends[0], ends[1])
    // If it was inherited as ignored, the statuses of our child processes would be lost.
    signal(SIGCHLD, SIG_DFL)
    let process: pid_t?
    do throws(ShellProcess.Failure) {
      process = try child.withLock { child throws(ShellProcess.Failure) in
        if child.isStopped { return nil }
        child.process = try ShellProcess.start(
          command, environment: environment, reading: reader, writingTo: STDERR_FILENO,
          inOwnGroup: true)
        return child.process
      }
    } catch {
      close(reader)
      close(writer)
      return error.reason
    }
    close(reader)
    guard let process else {
      close(writer)
      return "interrupted"
    }
    return finish(process, bytes, writer)
  }

  /// Feeds a process and waits for its end.
  private func finish(_ process: pid_t, _ bytes: [UInt8], _ writer: Int32) -> String? {
    var writer: Int32? = writer
    if let writer { _ = fcntl(writer, F_SETFL, O_NONBLOCK) }
    var rest = bytes[...]
    let end = ContinuousClock.now + limit
    var pollInterval: Int32 = 1
    var status: Int32 = 0
    var isLate = false
    while true {
      if let pipe = writer, !feed(&rest, to: pipe) {
        close(pipe)
        writer = nil
      }
      let ended = child.withLock { child in
        let ended = waitpid(process, &status, WNOHANG)
        // From now on the number may belong to another process.
        if ended != 0 { child.process = nil }
        return ended
      }
      if ended != 0 {
        if let writer { close(writer) }
        if isLate { return "it took longer than \(limit.components.seconds) s and was killed" }
        return ended == process ? Self.reason(of: status) : Self.systemError
      }
      if !isLate, ContinuousClock.now >= end {
        // It has not been waited for, so the number is still its own.
        kill(-process, SIGKILL)
        isLate = true
        pollInterval = 1
      }
      // No call waits for both the end of a process and room in a pipe, so both are looked at, at short
      // intervals first, since most commands are short.
      var waiting = pollfd(fd: writer ?? -1, events: Int16(POLLOUT), revents: 0)
      poll(&waiting, writer == nil ? 0 : 1, pollInterval)
      if writer != nil, Int32(waiting.revents) & POLLERR != 0 { rest = [] }
      pollInterval = min(pollInterval * 2, 20)
    }
  }

  /// Writes what the pipe takes; returns whether there is more to write.
  private func feed(_ rest: inout ArraySlice<UInt8>, to pipe: Int32) -> Bool {
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(pipe, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        // A command need not read everything.
        return errno == EAGAIN
      }
    }
    return false
  }

  private static func reason(of status: Int32) -> String? {
    let signal = status & 0x7F
    if signal != 0 { return "the command was ended by signal \(signal)" }
    let code = status >> 8 & 0xFF
    return code == 0 ? nil : "the command ended with status \(code)"
  }

  private static var systemError: String { String(cString: strerror(errno)) }
}
