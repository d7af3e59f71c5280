internal import CPostgres

/// The client library of PostgreSQL, which is opened when the first shared state is.
///
/// `@unchecked Sendable`: the table of its functions is written once, before a value exists, and libpq
/// lets threads use different connections at once.
@safe
struct PostgresLibrary: @unchecked Sendable {
  let functions: UnsafePointer<cpostgres_functions>

  /// Opens the library.
  init() throws(PostgresError) {
    guard let functions = unsafe cpostgres_open() else {
      throw PostgresError(
        kind: .unavailable,
        message:
          "a shared state needs PostgreSQL's client library, libpq.so.5; install the package "
          + "libpq5 (Debian, Ubuntu), libpq (Fedora, Alpine) or postgresql-libs (Arch)")
    }
    unsafe self.functions = functions
  }
}
