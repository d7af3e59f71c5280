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
        "  " + format.rawValue + Table.right(rounded(megabytes), 20 - format.rawValue.count)
          + Table.right(rounded(mine * 1000), 8) + Table.right(rounded(megabytes / mine), 8)
          + Table.right("\(rounded(share * 100))", 7) + " %" + bar)
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
