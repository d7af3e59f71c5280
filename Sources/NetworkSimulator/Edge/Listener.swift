internal import FlyingSocks

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The socket that clients connect to, on loopback alone.
struct Listener {
  private let socket: Socket
  /// The port that was asked for, or the free one that was found.
  let port: UInt16

  /// How many sockets one look at the system may find ready.
  private static let eventBound = 256

  /// Begins to listen; port 0 is any free one.
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

  /// Serves clients until the task is cancelled; the port is free then.
  func run(_ service: SimulatorService, clock: @escaping @Sendable () -> Int) async {
    #if canImport(Darwin)
      let pool: some AsyncSocketPool = .kQueue(maxEvents: Self.eventBound)
    #else
      let pool: some AsyncSocketPool = .ePoll(maxEvents: Self.eventBound)
    #endif
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
      // Cancelled: the one way to stop.
    }
    do { try socket.close() } catch {
      // Closed it is; there is nothing else to do with a descriptor.
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
          // Out of descriptors, or a client that left at once: the next one may do better.
          do { try await Task.sleep(for: .milliseconds(5)) } catch { break }
        }
      }
      clients.cancelAll()
    }
  }
}
