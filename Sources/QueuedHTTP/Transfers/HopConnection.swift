internal import CCurl
internal import Glibc

/// The connection of a hop, as libcurl's callbacks show it.
struct HopConnection {
  /// The state of a connection just before a request is sent over it.
  enum Finding {
    case sound
    /// Something has arrived that nobody asked for, or the server has ended the connection.
    case strayBytes
    /// libcurl sends the request again, as the first connection was dead.
    case replaced
  }

  /// The port to which a socket was opened last; nil if none was.
  private(set) var openedPort: Int?
  /// The system's error because of which no socket was opened; 0 for none.
  private(set) var socketError: Int32 = 0
  /// The socket that was opened last; negative if none was.
  private(set) var openedSocket: Int32 = -1
  /// True if the hop was first sent over a connection that was already open.
  private(set) var wasReused = false
  /// True if the hop was not sent because of stray bytes.
  private(set) var hasStrayBytes = false
  private var sendCount = 0
  /// The socket in use, if it is known.
  private var socket: Int32?

  /// Opens a socket.
  @unsafe
  mutating func open(
    _ address: UnsafeMutablePointer<curl_sockaddr>, among sockets: OpenSockets
  ) -> curl_socket_t {
    // The port has the same position in IPv4 and IPv6 addresses.
    unsafe withUnsafeBytes(of: &address.pointee.addr.sa_data) { bytes in
      openedPort = unsafe Int(bytes[0]) << 8 | Int(bytes[1])
    }
    openedSocket = unsafe sockets.open(
      address.pointee.family, address.pointee.socktype, address.pointee.protocol)
    socketError = openedSocket < 0 ? errno : 0
    return openedSocket
  }

  /// Checks the connection over which the hop is about to be sent.
  ///
  /// Bytes that a server sends over an idle connection must not become the response to the next request (RFC 9112,
  /// section 6.3), but libcurl would take them for it. HTTP/2 is exempt, as its frames may arrive at any time, and so
  /// are Unix sockets, which have no ports to tell them apart.
  ///
  /// - Parameter isHTTP1: True if it can be nothing but HTTP/1.
  mutating func check(
    _ connection: OpenSockets.Connection?, among sockets: OpenSockets, isHTTP1: Bool
  ) -> Finding {
    sendCount += 1
    socket = connection.flatMap { sockets.descriptor(of: $0, opened: openedSocket) }
    guard sendCount == 1 else { return .replaced }
    wasReused = openedSocket < 0
    guard wasReused, let socket, isHTTP1 || sockets.speaksHTTP1(socket) else { return .sound }
    hasStrayBytes = OpenSockets.isReadable(socket)
    return hasStrayBytes ? .strayBytes : .sound
  }

  /// Notes that the server has spoken HTTP/1.
  func noteHTTP1(among sockets: OpenSockets) {
    if let socket { sockets.noteHTTP1(socket) }
  }
}
