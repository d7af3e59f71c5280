import Glibc

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
        "  " + name + Table.right("\(Double(Int(median * 100)) / 100)", 34 - name.count) + " ms"
          + Table.right("\(share) × curl --version", 26))
    }
  }
}
