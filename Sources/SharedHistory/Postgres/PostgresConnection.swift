internal import CPostgres
internal import Glibc

/// A connection to a server.
///
/// One thread at a time may use it: its owner sees to that, and it is never shared otherwise. libpq's
/// connection lives exactly as long as the value.
@safe
final class PostgresConnection {
  private let library: PostgresLibrary
  private let pointer: OpaquePointer
  /// The names of the statements that the server has prepared, by their texts.
  private var prepared: [String: String] = [:]
  /// Asked again and again while the server has not answered, since that moment; false gives the connection up.
  var awaits: (_ since: ContinuousClock.Instant) -> Bool = { _ in true }

  /// Returns whether a server is there; takes as long as the settings allow it to connect.
  static func isThere(
    _ address: String, _ settings: [(name: String, value: String)], with library: PostgresLibrary
  ) -> Bool {
    let all = settings + [(name: "dbname", value: address)]
    let answer = unsafe withTexts(all.map(\.name)) { names in
      unsafe withTexts(all.map(\.value)) { values in
        unsafe library.functions.pointee.pingParams(names, values, 1)
      }
    }
    return answer == CPOSTGRES_PING_OK || answer == CPOSTGRES_PING_REJECT
  }

  /// Connects, and waits until that is done or has failed.
  ///
  /// - Parameters:
  ///   - address: An address as libpq reads it, which may say anything that has a setting there.
  ///   - settings: Further settings, which the address can change.
  init(
    to address: String, _ settings: [(name: String, value: String)], with library: PostgresLibrary
  ) throws(PostgresError) {
    let all = settings + [(name: "dbname", value: address)]
    let functions = unsafe library.functions.pointee
    let opened = unsafe Self.withTexts(all.map(\.name)) { names in
      unsafe Self.withTexts(all.map(\.value)) { values in
        unsafe functions.connectdbParams(names, values, 1)
      }
    }
    guard let opened = unsafe opened else {
      throw PostgresError(kind: .unavailable, message: "out of memory")
    }
    guard unsafe functions.status(opened) == 0 else {
      let message = unsafe functions.errorMessage(opened).map { unsafe String(cString: $0) }
      unsafe functions.finish(opened)
      throw PostgresError(kind: .unavailable, message: message ?? "")
    }
    unsafe cpostgres_silence(library.functions, opened)
    self.library = library
    unsafe pointer = opened
  }

  deinit { unsafe library.functions.pointee.finish(pointer) }

  /// Calls `body` with C strings and a null after them.
  private static func withTexts<Value>(
    _ texts: [String], _ body: ([UnsafePointer<CChar>?]) -> Value
  ) -> Value {
    let bytes = texts.flatMap { $0.utf8CString }
    return unsafe bytes.withUnsafeBufferPointer { buffer in
      var starts: [UnsafePointer<CChar>?] = unsafe []
      var place = 0
      for text in texts {
        let start = place
        unsafe starts.append(buffer.baseAddress.map { unsafe $0 + start })
        place += text.utf8.count + 1
      }
      unsafe starts.append(nil)
      return unsafe body(starts)
    }
  }

  /// True as long as nothing has shown that the connection is gone.
  var isOpen: Bool { unsafe library.functions.pointee.status(pointer) == 0 }

  /// The server's version: 150_004 for 15.4.
  var serverVersion: Int { Int(unsafe library.functions.pointee.serverVersion(pointer)) }

  /// A setting that the server has announced, such as `server_encoding`.
  func announced(_ name: String) -> String? {
    unsafe library.functions.pointee.parameterStatus(pointer, name).map {
      unsafe String(cString: $0)
    }
  }

  // MARK: Statements

  /// Runs statements without parameters, separated by semicolons.
  func execute(_ sql: String) throws(PostgresError) {
    _ = try result(of: sql)
  }

  /// Runs a statement for its effect; its parameters are `$1` and so on.
  func run(_ sql: String, _ values: PostgresValue...) throws(PostgresError) {
    _ = try result(of: sql, values)
  }

  /// Calls `body` with each row of a result.
  func each(
    _ sql: String, _ values: [PostgresValue], _ body: (borrowing PostgresRow) throws -> Void
  ) throws {
    try result(of: sql, values).each { row in
      try body(row)
      return true
    }
  }

  /// Returns what `body` makes of each row of a result.
  func all<Value>(
    _ sql: String, _ values: PostgresValue..., row body: (borrowing PostgresRow) throws -> Value
  ) throws -> [Value] {
    var all: [Value] = []
    try each(sql, values) { all.append(try body($0)) }
    return all
  }

  /// Returns what `body` makes of the first row; nil without one.
  func first<Value>(
    _ sql: String, _ values: PostgresValue..., row body: (borrowing PostgresRow) throws -> Value
  ) throws -> Value? {
    var first: Value?
    try each(sql, values) { row in if first == nil { first = try body(row) } }
    return first
  }

  /// Calls `body` with each row of a result until it returns false, within the caller's transaction.
  ///
  /// The server hands out some rows at a time, so that a long result needs little memory and one that is
  /// left early costs little.
  func walk(
    _ sql: String, _ values: [PostgresValue], _ body: (borrowing PostgresRow) throws -> Bool
  ) throws {
    _ = try result(of: "DECLARE walk BINARY NO SCROLL CURSOR FOR \(sql)", values)
    var goesOn = true
    while goesOn {
      let part = try result(of: "FETCH 256 FROM walk")
      goesOn = try part.each(body) && part.count > 0
    }
    try execute("CLOSE walk")
  }

  /// Runs `body` in a transaction; rolls back if it throws.
  func transaction<Value>(_ begin: String, _ body: () throws -> Value) throws -> Value {
    try execute(begin)
    do {
      let value = try body()
      try execute("COMMIT")
      return value
    } catch {
      // If the connection is gone, the server rolls back by itself. The first error is the one that counts.
      if isOpen { try? execute("ROLLBACK") }
      throw error
    }
  }

  /// The result of statements without parameters.
  private func result(of sql: String) throws(PostgresError) -> PostgresResult {
    try answer(unsafe library.functions.pointee.sendQuery(pointer, sql))
  }

  /// The result of a statement, prepared once for the connection.
  private func result(
    of sql: String, _ values: [PostgresValue]
  ) throws(PostgresError) -> PostgresResult {
    let name = try name(of: sql, values.map(\.type))
    let parts = values.map(\.encoded)
    let lengths = parts.map { Int32($0?.count ?? 0) }
    let formats = [Int32](repeating: 1, count: parts.count)
    // One block of bytes with a zero at its end, so that an empty value has an address, too.
    let block = parts.reduce(into: [UInt8]()) { $0 += $1 ?? [] } + [0]
    let functions = unsafe library.functions.pointee
    let isSent = unsafe block.withUnsafeBytes { bytes in
      var starts: [UnsafePointer<CChar>?] = unsafe []
      var place = 0
      for part in parts {
        let start = unsafe bytes.baseAddress.map { unsafe ($0 + place) }
        unsafe starts.append(
          part == nil ? nil : start.map { unsafe $0.assumingMemoryBound(to: CChar.self) })
        place += part?.count ?? 0
      }
      return unsafe functions.sendQueryPrepared(
        pointer, name, Int32(parts.count), starts, lengths, formats, 1)
    }
    return try answer(isSent)
  }

  private func name(of sql: String, _ types: [UInt32]) throws(PostgresError) -> String {
    if let name = prepared[sql] { return name }
    let name = "s\(prepared.count)"
    _ = try answer(
      unsafe library.functions.pointee.sendPrepare(pointer, name, sql, Int32(types.count), types))
    prepared[sql] = name
    return name
  }

  /// The milliseconds between two questions whether to go on waiting.
  private static let pollInterval: Int32 = 50

  /// Waits for the answer to what was sent; returns the last result.
  private func answer(_ isSent: Int32) throws(PostgresError) -> PostgresResult {
    guard isSent == 1 else { throw lost() }
    let functions = unsafe library.functions.pointee
    let begin = ContinuousClock.now
    var last: PostgresResult?
    while true {
      while unsafe functions.isBusy(pointer) != 0 {
        var socket = pollfd(fd: unsafe functions.socket(pointer), events: Int16(POLLIN), revents: 0)
        let isReady = unsafe poll(&socket, 1, Self.pollInterval) > 0
        if isReady, unsafe functions.consumeInput(pointer) != 1 { throw lost() }
        guard isReady || awaits(begin) else {
          throw PostgresError(kind: .silent, message: "the server does not answer")
        }
      }
      guard let next = unsafe functions.getResult(pointer) else { break }
      last = unsafe PostgresResult(next, library)
    }
    guard let last else { throw lost() }
    if last.isSuccess { return last }
    guard isOpen, let code = last.errorCode else { throw lost() }
    throw PostgresError(kind: .refused(code: code), message: last.errorMessage ?? "")
  }

  private func lost() -> PostgresError {
    let message = unsafe library.functions.pointee.errorMessage(pointer)
      .map { unsafe String(cString: $0) }
    return PostgresError(kind: .unavailable, message: message ?? "the connection was lost")
  }
}
