#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The first three descriptors, which a caller may have closed.
enum StandardDescriptors {
  /// Puts something in the place of those that are closed.
  ///
  /// Otherwise the next file or socket that is opened would get such a number, and be written to as
  /// standard output. What stands there refuses to be read or written, as a closed one does.
  static func occupy() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      // The lowest number that is free, which is this one.
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}
