import Glibc
import Synchronization

/// A program that was started, with the descriptors that it was given and no others.
///
/// Foundation's own hands descriptors of programs that start at the same time to one another, and
/// takes a program for running as long as another holds them.
final class ChildProcess: Sendable {
  struct Failure: Error, CustomStringConvertible { var description: String }

  let id: pid_t
  private let status = Mutex<Int32?>(nil)

  /// - Parameters:
  ///   - input: What is its standard input; nothing where it is nil.
  ///   - output: The same for its standard output.
  init(
    _ program: String, _ arguments: [String], in folder: String, input: Int32? = nil,
    output: Int32? = nil
  ) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    guard let addChangeOfFolder = Self.addChangeOfFolder, let addCloseFrom = Self.addCloseFrom
    else { throw Failure(description: "a C library older than 2.34") }
    _ = addChangeOfFolder(&actions, folder)
    for (descriptor, given) in [(Int32(0), input), (1, output), (2, nil)] {
      if let given {
        posix_spawn_file_actions_adddup2(&actions, given, descriptor)
      } else {
        posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
      }
    }
    _ = addCloseFrom(&actions, 3)
    var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) }
    words.append(nil)
    defer { for word in words { free(word) } }
    var id = pid_t()
    let code = posix_spawn(&id, program, &actions, nil, words, environ)
    guard code == 0 else {
      throw Failure(description: "\(program): \(String(cString: strerror(code)))")
    }
    self.id = id
  }

  // The C library's own additions, which the Glibc module does not show.
  private typealias Actions = UnsafeMutablePointer<posix_spawn_file_actions_t>
  private static let addChangeOfFolder = dlsym(nil, "posix_spawn_file_actions_addchdir_np").map {
    unsafeBitCast($0, to: (@convention(c) (Actions, UnsafePointer<CChar>) -> Int32).self)
  }
  private static let addCloseFrom = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np").map {
    unsafeBitCast($0, to: (@convention(c) (Actions, Int32) -> Int32).self)
  }

  /// Whether it has not ended.
  var isRunning: Bool { take(WNOHANG) == nil }

  /// Ends it at once.
  func kill() { if isRunning { Glibc.kill(id, SIGKILL) } }

  /// Waits for its end; 0 where it did well.
  @discardableResult
  func wait() -> Int32 { take(0) ?? -1 }

  private func take(_ options: Int32) -> Int32? {
    status.withLock { status in
      var word: Int32 = 0
      if status == nil, waitpid(id, &word, options) == id { status = word }
      return status
    }
  }
}
