import Glibc
import Synchronization
import TestSupport

/// TLS before a server that speaks without it: `openssl s_server` for each connection.
final class TLSFront: Sendable {
  private let listener: Listener
  // The programs that were started; nil once no more may be.
  private let programs: Shared<Mutex<[ChildProcess]?>>

  var port: Int { listener.port }

  /// - Parameters:
  ///   - server: The port of the server behind.
  ///   - protocols: What is offered by ALPN (RFC 7301), such as `h2`.
  init(
    to server: Int, _ certificates: TestCertificates, certificate: String = "server",
    protocols: String? = nil
  ) throws {
    let folder = certificates.folder
    let programs = Shared(Mutex<[ChildProcess]?>([]))
    self.programs = programs
    listener = try Listener { wire in
      // Named from its folder: openssl gives up on a path of more than 31 bytes.
      let name = "\(UInt32.random(in: 0 ... .max)).socket"
      let arguments =
        [
          "s_server", "-quiet", "-unix", name, "-naccept", "1", "-cert", "\(certificate).pem",
          "-key", "\(certificate).key",
        ] + (protocols.map { ["-alpn", $0] } ?? [])
      var ends: [Int32] = [0, 0]
      guard let behind = Wire.connected(toPort: server),
        socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0
      else { return }
      // Started under the lock: after the close none may write into the folder.
      let process = programs.value.withLock { programs -> ChildProcess? in
        guard programs != nil else { return nil }
        let process = try? ChildProcess(
          ServerProgram.path(of: "openssl") ?? "openssl", arguments, in: folder.path,
          input: ends[1], output: ends[1])
        if let process { programs?.append(process) }
        return process
      }
      Glibc.close(ends[1])
      let plain = Wire(ends[0])
      defer {
        behind.close()
        plain.close()
      }
      guard let process else { return }
      let secret = Self.connect(folder[name], while: process)
      // The program reads its input without an end, so it is never told of one.
      let done = Gate()
      Listener.thread {
        behind.copy(to: plain)
        done.open(1)
      }
      Listener.thread {
        plain.copy(to: behind)
        behind.end()
        done.open(1)
      }
      if let secret {
        wire.exchange(with: secret)
        secret.close()
      }
      process.kill()
      process.wait()
      done.pass()
      done.pass()
    }
  }

  /// Ends it, and returns when none of its programs uses the folder of the certificates any more.
  func close() {
    let started = programs.value.withLock { programs in
      defer { programs = nil }
      return programs ?? []
    }
    listener.close()
    for program in started {
      program.kill()
      program.wait()
    }
  }

  /// Waits until the program listens; nil when it ended.
  private static func connect(_ path: String, while process: ChildProcess) -> Wire? {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = path.utf8CString
    guard bytes.count <= MemoryLayout.size(ofValue: address.sun_path) else { return nil }
    withUnsafeMutableBytes(of: &address.sun_path) { room in
      bytes.withUnsafeBytes { room.copyMemory(from: $0) }
    }
    while process.isRunning {
      let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      let isThere = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
          Glibc.connect(socket, pointer, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
        }
      }
      if isThere { return Wire(socket) }
      Glibc.close(socket)
      usleep(2_000)
    }
    return nil
  }
}
