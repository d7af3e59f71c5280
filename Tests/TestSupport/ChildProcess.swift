package import Foundation
internal import Synchronization

/// A program that was started with the descriptors that it was given and no others, in a process group of its own.
///
/// Foundation's own hands descriptors of programs that start at the same time to one another. A test then waits
/// for the end of an output that a program of another test still holds, and that test may wait for this one.
package final class ChildProcess: Sendable {
  package struct Failure: Error, CustomStringConvertible { package var description: String }

  /// The end of a program: its exit status, or the signal that ended it.
  package enum End: Hashable, Sendable {
    case status(Int32)
    case signal(Int32)
  }

  package let id: pid_t
  private let end = Mutex<End?>(nil)
  private let exit: AsyncStream<Void>

  /// - Parameters:
  ///   - program: The path of the program.
  ///   - environment: Its environment; ours where it is nil.
  ///   - input: What is its standard input; nothing where it is nil.
  ///   - output: The same for its standard output.
  ///   - errors: The same for its standard error.
  package init(
    _ program: String, _ arguments: [String], in folder: String,
    environment: [String: String]? = nil,
    input: Int32? = nil, output: Int32? = nil, errors: Int32? = nil
  ) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    guard let addChangeOfFolder = Self.addChangeOfFolder, let addCloseFrom = Self.addCloseFrom
    else { throw Failure(description: "a C library older than 2.34") }
    _ = addChangeOfFolder(&actions, folder)
    for (descriptor, given) in [(Int32(0), input), (1, output), (2, errors)] {
      if let given {
        posix_spawn_file_actions_adddup2(&actions, given, descriptor)
      } else {
        posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
      }
    }
    _ = addCloseFrom(&actions, 3)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
    var words = Self.copied([program] + arguments)
    var variables = Self.copied(
      (environment ?? ProcessInfo.processInfo.environment).map { "\($0.key)=\($0.value)" })
    defer { for word in words + variables { free(word) } }
    var id = pid_t()
    let code = posix_spawn(&id, program, &actions, &attributes, &words, &variables)
    guard code == 0 else {
      throw Failure(description: "\(program): \(String(cString: strerror(code)))")
    }
    self.id = id
    let (exit, ended) = AsyncStream.makeStream(of: Void.self)
    self.exit = exit
    Thread.detachNewThread { [self] in
      wait()
      ended.finish()
    }
  }

  private static func copied(_ words: [String]) -> [UnsafeMutablePointer<CChar>?] {
    words.map { strdup($0) } + [nil]
  }

  // The C library's own additions, which the Glibc module does not show.
  private typealias Actions = UnsafeMutablePointer<posix_spawn_file_actions_t>
  private static let addChangeOfFolder = dlsym(nil, "posix_spawn_file_actions_addchdir_np").map {
    unsafeBitCast($0, to: (@convention(c) (Actions, UnsafePointer<CChar>) -> Int32).self)
  }
  private static let addCloseFrom = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np").map {
    unsafeBitCast($0, to: (@convention(c) (Actions, Int32) -> Int32).self)
  }

  /// Runs a program to its end, and returns what it wrote to its standard output.
  package static func output(
    of program: String, _ arguments: [String]
  ) throws -> (end: End, output: String) {
    let pipe = Pipe()
    let process = try ChildProcess(
      program, arguments, in: "/", output: pipe.fileHandleForWriting.fileDescriptor)
    try pipe.fileHandleForWriting.close()
    let bytes = try pipe.fileHandleForReading.readToEnd() ?? Data()
    return (process.wait(), String(decoding: bytes, as: UTF8.self))
  }

  /// True until it has ended.
  package var isRunning: Bool { takeEnd() == nil }

  /// Sends it a signal unless it has ended.
  package func send(_ signal: Int32) {
    end.withLock { if $0 == nil { _ = Foundation.kill(id, signal) } }
  }

  /// Ends it at once.
  package func kill() { send(SIGKILL) }

  /// Blocks the thread until it has ended.
  @discardableResult
  package func wait() -> End {
    while true {
      if let end = takeEnd() { return end }
      // Left for `takeEnd`, which takes it under the lock: its number may be another's from then on.
      var information = siginfo_t()
      _ = waitid(P_PID, id_t(id), &information, WEXITED | WNOWAIT)
    }
  }

  /// Waits until it has ended, and kills it after a quarter of an hour: the test is to fail, not to hang.
  package func ended() async -> End {
    let limit = Task {
      try await Task.sleep(for: .seconds(900))
      kill()
    }
    defer { limit.cancel() }
    for await _ in exit {}
    return wait()
  }

  private func takeEnd() -> End? {
    end.withLock { end in
      var word: Int32 = 0
      guard end == nil else { return end }
      let taken = waitpid(id, &word, WNOHANG)
      // Somebody else has waited for it.
      if taken < 0, errno == ECHILD { end = .status(-1) }
      // The lower seven bits have the signal, the next byte the status (wait(2)).
      if taken == id {
        end = word & 0x7f == 0 ? .status(word >> 8 & 0xff) : .signal(word & 0x7f)
      }
      return end
    }
  }
}
