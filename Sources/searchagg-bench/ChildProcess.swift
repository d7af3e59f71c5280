import Glibc

/// An open file, or an end of a pipe.
struct Descriptor {
  let number: Int32

  init(_ number: Int32) { self.number = number }

  /// Returns the ends of a new pipe, which child processes do not inherit.
  static func pipe() throws(BenchmarkFailure) -> (reading: Descriptor, writing: Descriptor) {
    var ends: [Int32] = [-1, -1]
    guard Glibc.pipe(&ends) == 0 else { throw BenchmarkFailure("pipe", errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (Descriptor(ends[0]), Descriptor(ends[1]))
  }

  func write(_ bytes: [UInt8]) throws(BenchmarkFailure) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(number, $0.baseAddress, $0.count) }
      guard count >= 0 else { throw BenchmarkFailure("write", errno) }
      rest = rest.dropFirst(count)
    }
  }

  func close() { _ = Glibc.close(number) }
}

/// A running program; streams that are not given lead nowhere.
struct ChildProcess {
  private let identifier: pid_t

  init(
    _ arguments: [String], input: Descriptor? = nil, output: Descriptor? = nil
  ) throws(BenchmarkFailure) {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (stream, descriptor) in [(STDIN_FILENO, input), (STDOUT_FILENO, output)] {
      if let descriptor {
        posix_spawn_file_actions_adddup2(&actions, descriptor.number, stream)
      } else {
        posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0)
      }
    }
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var identifier = pid_t()
    let fault = posix_spawnp(&identifier, arguments[0], &actions, nil, &words, environ)
    guard fault == 0 else { throw BenchmarkFailure(arguments[0], fault) }
    self.identifier = identifier
  }

  /// Waits for its end.
  func end() throws(BenchmarkFailure) {
    var status: Int32 = 0
    while waitpid(identifier, &status, 0) < 0 {
      guard errno == EINTR else { throw BenchmarkFailure("waitpid", errno) }
    }
  }
}

/// A measurement that could not be made.
struct BenchmarkFailure: Error, CustomStringConvertible {
  let description: String

  init(_ action: String, _ code: Int32) {
    description = "\(action): \(strerror(code).map { String(cString: $0) } ?? "error \(code)")"
  }
}
