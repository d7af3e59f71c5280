internal import FlyingSocks

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// `SO_LINGER`: with zero seconds a close resets the connection.
struct LingerOption: SocketOption {
  let name = SO_LINGER

  func makeValue(from socketValue: linger) -> linger { socketValue }
  func makeSocketValue(from value: linger) -> linger { value }

  static let reset = linger(l_onoff: 1, l_linger: 0)
}
