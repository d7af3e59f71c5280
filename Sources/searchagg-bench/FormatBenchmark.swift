import FoundationEssentials
import Glibc
import Printing
import SearchModel

/// Prints posts in every format through a pipe, in turns with `cat` of the same bytes.
enum FormatBenchmark {
  /// The rate that a format must reach, as a share of cat's.
  private static let bars: [OutputFormat: Double] = [.ndjson: 0.25, .text: 0.1]
  private static let rounds = 5

  /// - Parameter names: The formats to measure; empty for all.
  static func run(_ posts: [Post], now: Date, as names: [String], below folder: String) throws {
    print("\n\(posts.count) posts through a pipe, in turns with cat of the same bytes\n")
    print("  format              MB      ms    MB/s   × cat")
    let result = RunResult(posts: posts[...], now: now)
    // The posts of github go to a file, and are markdown.
    for format in OutputFormat.allCases
    where format != .github && (names.isEmpty || names.contains(format.rawValue)) {
      let printer = format.printer(style: TextStyle(now: now))
      let path = "\(folder)/searchagg-bench-\(getpid()).\(format.rawValue)"
      defer { unlink(path) }
      var size = 0
      let file = Descriptor(open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600))
      try printer.write(result) { bytes throws(BenchmarkFailure) in
        try file.write(bytes)
        size += bytes.count
      }
      file.close()
      var own: [Double] = []
      var cats: [Double] = []
      // The first round warms up.
      for round in 0...rounds {
        let printing = try seconds { output throws(BenchmarkFailure) in
          try printer.write(result, to: output.write)
        }
        let copying = try seconds { output throws(BenchmarkFailure) in
          try ChildProcess(["cat", path], output: output).end()
        }
        guard round > 0 else { continue }
        own.append(printing)
        cats.append(copying)
      }
      let (mine, cat) = (own.sorted()[rounds / 2], cats.sorted()[rounds / 2])
      let share = cat / mine
      let bar = bars[format].map { "  (at least \($0)\(share < $0 ? ": missed" : ""))" } ?? ""
      let megabytes = Double(size) / 1_000_000
      print(
        "  " + format.rawValue + Benchmark.right(rounded(megabytes), 20 - format.rawValue.count)
          + Benchmark.right(rounded(mine * 1000), 8) + Benchmark.right(rounded(megabytes / mine), 8)
          + Benchmark.right("\(rounded(share * 100))", 7) + " %" + bar)
    }
  }

  private static func rounded(_ number: Double) -> String { "\(Int(number.rounded()))" }

  /// Returns how long some work takes whose output another process reads and drops.
  private static func seconds(
    _ work: (Descriptor) throws(BenchmarkFailure) -> Void
  ) throws(BenchmarkFailure) -> Double {
    let (reading, writing) = try Descriptor.pipe()
    let reader = try ChildProcess(["cat"], input: reading)
    reading.close()
    let begin = ContinuousClock.now
    try work(writing)
    writing.close()
    try reader.end()
    return (ContinuousClock.now - begin) / .seconds(1)
  }
}

/// Starts searchagg and curl in turns.
enum StartBenchmark {
  private static let rounds = 200

  static func run() throws {
    // They are built into one folder.
    let folder = CommandLine.arguments[0]
      .split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    let searchagg = "\(folder)/searchagg"
    guard access(searchagg, X_OK) == 0 else { throw BenchmarkFailure("no \(searchagg)", ENOENT) }
    let commands = [
      ["curl", "--version"], [searchagg, "--version"], [searchagg, "help", "dates"],
    ]
    var times = commands.map { _ in [Double]() }
    for round in 0..<rounds + 5 {
      for (index, command) in commands.enumerated() {
        let begin = ContinuousClock.now
        try ChildProcess(command).end()
        if round >= 5 { times[index].append((ContinuousClock.now - begin) / .milliseconds(1)) }
      }
    }
    let medians = times.map { $0.sorted()[rounds / 2] }
    print("\nstarting, in turns, median of \(rounds)\n")
    for (command, median) in zip(commands, medians) {
      let name = command.joined(separator: " ").replacing("\(folder)/", with: "")
      let share = Double(Int(median / medians[0] * 100)) / 100
      print(
        "  " + name + Benchmark.right("\(Double(Int(median * 100)) / 100)", 34 - name.count) + " ms"
          + Benchmark.right("\(share) × curl --version", 26))
    }
  }
}

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
