internal import FoundationEssentials
internal import Glibc

/// The resources that this process holds.
public enum OwnProcess {
  /// The number of open descriptors.
  public static func descriptors() throws -> Int { try entries(of: "/proc/self/fd") }

  /// The number of threads.
  public static func threads() throws -> Int { try entries(of: "/proc/self/task") }

  /// The memory that is resident, in MiB.
  public static func memory() throws -> Double {
    let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
    let pages = text.split(separator: " ").dropFirst().first.flatMap { Double($0) } ?? 0
    return pages * Double(sysconf(Int32(_SC_PAGESIZE))) / 1_048_576
  }

  /// The processor time of the calling thread, in milliseconds.
  public static func threadTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1_000 + Double(time.tv_nsec) / 1_000_000
  }

  /// Allows as many descriptors as the system lets this user have.
  public static func raiseDescriptorLimit() {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = limit.rlim_max
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }

  private static func entries(of folder: String) throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: folder).count
  }
}
