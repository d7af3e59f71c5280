internal import Foundation
internal import Synchronization

/// A PostgreSQL server for the tests of a process: in a temporary folder, on a socket there, without
/// `fsync`, run by an unprivileged user. It is started by the first test that needs it, and ends with the
/// process, however that ends.
package final class PostgresServer: Sendable {
  package struct Failure: Error { package let reason: String }

  /// The server of this process; nil where PostgreSQL is not installed.
  package static func shared() throws -> PostgresServer {
    try started.withLock { server in
      if let server { return server }
      let new = try PostgresServer()
      server = new
      return new
    }
  }

  private static let started = Mutex<PostgresServer?>(nil)

  package static var isInstalled: Bool { programs != nil }

  /// The folder of the server's programs.
  private static let programs: String? = {
    let root = "/usr/lib/postgresql"
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
    let debian = versions.sorted { $0.compare($1, options: .numeric) == .orderedDescending }
      .map { "\(root)/\($0)/bin" }
    return (debian + ["/usr/bin", "/usr/local/bin"]).first {
      FileManager.default.isExecutableFile(atPath: "\($0)/initdb")
    }
  }()

  private let programs: String
  private let folder: String
  /// The server ends when this is closed.
  private let lifeline: FileHandle
  private let databases = Mutex(0)

  /// Starts a server for a test that stops it now and then; all others share one.
  package init() throws {
    guard let programs = Self.programs else { throw Failure(reason: "PostgreSQL is not installed") }
    self.programs = programs
    // Short, since the path of a socket is, and open to the server's user.
    folder =
      "/tmp/searchagg-pg-\(ProcessInfo.processInfo.processIdentifier)-\(UInt16.random(in: 0 ... .max))"
    let pipe = Pipe()
    lifeline = pipe.fileHandleForWriting
    let process = try ChildProcess(
      "/bin/sh", ["-c", Self.script, "sh", programs, folder], in: "/",
      input: pipe.fileHandleForReading.fileDescriptor)
    try pipe.fileHandleForReading.close()
    let end = ContinuousClock.now + .seconds(60)
    while (try? run("psql", ["-c", "SELECT 1", "postgres"])) == nil {
      guard ContinuousClock.now < end, process.isRunning else {
        throw Failure(reason: "the server does not start; see \(folder)/log")
      }
      usleep(50_000)
    }
  }

  /// `postgres` refuses to be root.
  private static let script = """
    set -e
    as=
    if [ "$(id -u)" -eq 0 ]; then as="setpriv --reuid postgres --regid postgres --clear-groups"; fi
    mkdir -m 700 "$2"
    [ -z "$as" ] || chown postgres:postgres "$2"
    cd "$2"
    $as "$1/initdb" --auth trust --username postgres --encoding UTF8 --locale C --no-sync \
      --pgdata "$2/data" > /dev/null
    start() {
      $as "$1/postgres" -D "$2/data" -k "$2" -c listen_addresses= -c fsync=off \
        -c full_page_writes=off -c max_connections=300 < /dev/null >> "$2/log" 2>&1 &
      server=$!
    }
    start "$@"
    all() {
      kill "-$1" "$server" $(awk -v parent="$server" '$4 == parent { print $1 }' /proc/[0-9]*/stat)
    }
    # Each line asks for a signal to all, for another start, or for the end of this one.
    while read -r line; do
      case $line in
        STOP | CONT) all "$line" 2> /dev/null || true; continue ;;
      esac
      kill -QUIT "$server" 2> /dev/null || true
      wait "$server" || true
      [ "$line" = stop ] || start "$@"
    done
    kill -INT "$server" 2> /dev/null || true
    wait "$server" || true
    rm -rf "$2"
    """

  /// Begins to stop the server at once, as if it had crashed, and to start it anew.
  package func restart() throws { try lifeline.write(contentsOf: Data("again\n".utf8)) }

  /// Begins to stop the server as if it had crashed, until `restart` is called.
  package func pause() throws { try lifeline.write(contentsOf: Data("stop\n".utf8)) }

  /// Lets all processes of the server stand still, as on a machine that does.
  package func freeze() throws { try lifeline.write(contentsOf: Data("STOP\n".utf8)) }

  /// Lets them go on.
  package func thaw() throws { try lifeline.write(contentsOf: Data("CONT\n".utf8)) }

  /// Ends the server.
  package func stop() throws { try lifeline.close() }

  @discardableResult
  private func run(_ program: String, _ arguments: [String]) throws -> String {
    let (end, output) = try ChildProcess.output(
      of: "\(programs)/\(program)", ["-h", folder, "-U", "postgres"] + arguments)
    guard end == .status(0) else {
      throw Failure(reason: "\(program) has failed; see \(folder)/log")
    }
    return output
  }

  /// Makes an empty database, and returns its address.
  package func database() throws -> String {
    let name = "test\(databases.withLock { $0 += 1; return $0 })"
    // The fastest way to a small database; versions before 15 have no other.
    let version = try run("psql", ["-qtAXc", "SHOW server_version_num", "postgres"])
    let strategy = version >= "150000" ? "STRATEGY file_copy" : ""
    try run("psql", ["-qc", "CREATE DATABASE \(name) \(strategy)", "postgres"])
    return "postgresql://postgres@/\(name)?host=\(folder)"
  }

  /// The output of SQL in a database, without headings.
  package func query(_ sql: String, in address: String) throws -> String {
    try run("psql", ["-qtAX", "-v", "ON_ERROR_STOP=1", "-c", sql, address])
  }
}
