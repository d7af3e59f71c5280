import Foundation
import Glibc
import QueuedHTTP
import Testing

/// What a child process gets of a client: none of its sockets, and no wait at its exit.
@Suite struct InheritanceTests {
  // What the whole process has open, so it has a process of its own.
  @Test func `No socket of a client is handed on to programs that are started`() async {
    await #expect(processExitsWith: .success) {
      let server = try LoopbackServer { _ in .ok() }
      let before = inheritedSockets(to: server.port)
      let client = HTTPClient()
      for _ in 0..<3 { _ = try await client.send(patient(url: server.url())) }
      let after = inheritedSockets(to: server.port)
      precondition(after.subtracting(before).isEmpty, "inherited: \(after) after \(before)")
      await client.shutdown()
      server.close()
      exit(0)
    }
  }

  @Test func `A forked child of a process with a client does not wait at its exit`() async {
    await #expect(processExitsWith: .success) {
      let server = try LoopbackServer { _ in .ok() }
      let client = HTTPClient()
      _ = try await client.send(patient(url: server.url()))
      typealias Fork = @convention(c) () -> pid_t
      guard let symbol = dlsym(nil, "fork") else { exit(1) }
      let child = unsafeBitCast(symbol, to: Fork.self)()
      if child == 0 { exit(0) }
      var status: Int32 = -1
      var usage = rusage()
      precondition(wait4(child, &status, 0, &usage) == child)
      precondition(status == 0, "status \(status)")
      // Each look at whether a worker has ended would be one.
      precondition(usage.ru_nvcsw < 200, "\(usage.ru_nvcsw) waits")
      await client.shutdown()
      server.close()
      exit(0)
    }
  }
}

/// The process's sockets that a program would inherit, as far as they have no name or lead to a port.
private func inheritedSockets(to port: Int) -> Set<Int32> {
  Set(
    (3..<Int32(1024)).filter { descriptor in
      let flags = fcntl(descriptor, F_GETFD)
      guard flags >= 0, flags & FD_CLOEXEC == 0 else { return false }
      var address = sockaddr_in()
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let isConnected = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          getpeername(descriptor, $0, &length) == 0
        }
      }
      return isConnected
        && (address.sin_family == sa_family_t(AF_UNIX)
          || Int(UInt16(bigEndian: address.sin_port)) == port)
    })
}
