#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// An `errno` of the system.
struct SystemError: Error, Hashable {
  let code: Int32

  /// The error of the call that has just failed.
  static var latest: SystemError { SystemError(code: errno) }

  /// The system's own words, such as "No space left on device".
  var reason: String { String(cString: strerror(code)) }

  /// Makes a call again for as long as a signal interrupts it, and throws when it fails.
  @discardableResult
  static func check<Number: SignedInteger>(
    _ call: () -> Number
  ) throws(SystemError) -> Number {
    while true {
      let result = call()
      if result >= 0 { return result }
      guard errno == EINTR else { throw latest }
    }
  }
}
