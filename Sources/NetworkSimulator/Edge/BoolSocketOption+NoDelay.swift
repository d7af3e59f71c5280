internal import FlyingSocks

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

extension BoolSocketOption {
  /// `TCP_NODELAY`; the sockets that a listening one accepts inherit it.
  static var noDelay: BoolSocketOption {
    BoolSocketOption(level: Int32(IPPROTO_TCP), name: TCP_NODELAY)
  }
}
