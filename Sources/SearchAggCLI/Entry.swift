#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Runs this process's command line and ends the process with its exit status.
public func runSearchAgg() async -> Never {
  StandardDescriptors.occupy()
  signal(SIGPIPE, SIG_IGN)
  let status = await CommandLineRunner(context: .live()).run(
    Array(CommandLine.arguments.dropFirst()))
  exit(status.rawValue)
}
