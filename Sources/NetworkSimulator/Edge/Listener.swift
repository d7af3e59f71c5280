internal import FlyingSocks
internal import Glibc

/// The socket that clients connect to, on loopback only.
struct Listener {
  private let socket: Socket
  /// The requested port, or the free one that was found.
  let port: UInt16

  /// The maximum number of ready sockets per poll.
  private static let eventBound = 256

  /// Starts listening; port 0 is any free port.
  init(port: UInt16) throws(SimulatorError) {
    do {
      let socket = try Socket(domain: AF_INET)
      do {
        Descriptors.keepFromChildren(socket)
        try socket.setValue(true, for: .localAddressReuse)
        try socket.setValue(true, for: BoolSocketOption.noDelay)
        try socket.bind(to: .inet(ip4: "127.0.0.1", port: port))
        try socket.listen()
        guard case .ip4(_, let bound) = try socket.sockname() else {
          throw SimulatorError.cannotListen("the socket has no address")
        }
        self.socket = socket
        self.port = bound
      } catch {
        try socket.close()
        throw error
      }
    } catch let error as SimulatorError {
      throw error
    } catch SocketError.failed(_, EADDRINUSE, _) {
      throw .portTaken(port)
    } catch {
      throw .cannotListen("\(error)")
    }
  }

  /// Serves clients until the task is canceled, then frees the port.
  func run(_ service: SimulatorService, clock: @escaping @Sendable () -> Int) async {
    let pool: some AsyncSocketPool = .ePoll(maxEvents: Self.eventBound)
    do {
      try await pool.prepare()
      let listening = try AsyncSocket(socket: socket, pool: pool)
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await pool.run() }
        group.addTask { await accept(on: listening, service, clock: clock) }
        defer { group.cancelAll() }
        try await group.next()
      }
    } catch {
      // Canceled, which is the only way to stop.
    }
    do { try socket.close() } catch {
      // The descriptor is closed in any case.
    }
  }

  private func accept(
    on listening: AsyncSocket, _ service: SimulatorService, clock: @escaping @Sendable () -> Int
  ) async {
    await withDiscardingTaskGroup { clients in
      while !Task.isCancelled {
        do {
          let socket = try await listening.accept()
          Descriptors.keepFromChildren(socket.socket)
          clients.addTask {
            await Connection(socket: socket, service: service, clock: clock).serve()
          }
        } catch {
          // Out of descriptors, or the client disconnected at once; the next one may succeed.
          do { try await Task.sleep(for: .milliseconds(5)) } catch { break }
        }
      }
      clients.cancelAll()
    }
  }
}

extension BoolSocketOption {
  /// `TCP_NODELAY`; the sockets that a listening one accepts inherit it.
  static var noDelay: BoolSocketOption {
    BoolSocketOption(level: Int32(IPPROTO_TCP), name: TCP_NODELAY)
  }
}

/// Settings of descriptors and of the process.
enum Descriptors {
  /// Raises the soft limit: a stalled client holds a descriptor for as long as it waits.
  static func raiseLimit() {
    var limit = rlimit()
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    guard getrlimit(resource, &limit) == 0 else { return }
    let wanted = min(limit.rlim_max, 65_536)
    guard limit.rlim_cur < wanted else { return }
    limit.rlim_cur = wanted
    // Where it cannot be raised, fewer clients can wait at once, which they see for themselves.
    _ = setrlimit(resource, &limit)
  }

  /// Keeps a descriptor from the processes that tests start: one that they hold stays open for the
  /// client, however often it is closed here.
  static func keepFromChildren(_ socket: Socket) {
    _ = fcntl(socket.file.rawValue, F_SETFD, FD_CLOEXEC)
  }
}
