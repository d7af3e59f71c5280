internal import SearchEngine
internal import SystemPackage
internal import TextFormats

/// The file of an archive, with the exchanges in the order in which the run used them. Each entry
/// overwrites the end of the document and rewrites it.
actor HARLog {
  private static let end = Array("\n]}}\n".utf8)

  private let file: FileDescriptor
  private var redaction: Redaction
  private var order = UseOrder()
  private var length: Int64
  private var isEmpty = true
  private var isClosed = false
  private var failure: (any Error)?

  init(
    creating path: String, creator: (name: String, version: String), redacting redaction: Redaction
  ) throws {
    self.redaction = redaction
    let head = Array(
      """
      {"log":{"version":"1.2","creator":{"name":"\(creator.name)","version":"\(creator.version)"},\
      "entries":[
      """.utf8)
    file = try FileDescriptor.open(
      FilePath(path), .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec, .noFollow],
      permissions: .ownerReadWrite)
    do {
      try file.writeAll(toAbsoluteOffset: 0, head + Self.end)
    } catch {
      try? file.close()  // The error that counts is the first one.
      throw error
    }
    length = Int64(head.count)
  }

  deinit {
    // There is no caller to report an error to.
    if !isClosed { try? file.close() }
  }

  /// Adds an exchange, which is written when the run has used it.
  func add(_ entry: UseOrder.Entry) {
    for entry in order.add(entry) { write(entry) }
  }

  func note(_ step: RunStep) {
    for entry in order.note(step) { write(entry) }
  }

  private func write(_ entry: UseOrder.Entry) {
    // Such as the token of a session that began during the run.
    redaction.hide(entry.exchange.secrets(in: entry.secretHeaders))
    let line = entry.exchange.entry(redaction: redaction, secretHeaders: entry.secretHeaders)
    guard failure == nil, !isClosed else { return }
    let text = Array((isEmpty ? "\n" : ",\n").utf8) + line
    do {
      guard length + Int64(text.count + Self.end.count) <= ExchangeReplay.largestFile else {
        throw ArchiveTooLarge()
      }
      try file.writeAll(toAbsoluteOffset: length, text + Self.end)
      length += Int64(text.count)
      isEmpty = false
    } catch {
      failure = error
      restoreEnd()
    }
  }

  /// Ends the document after its last whole entry, for which there was room before.
  private func restoreEnd() {
    // The error that counts is the one that led here.
    try? file.resize(to: length)
    _ = try? file.writeAll(toAbsoluteOffset: length, Self.end)
  }

  /// Writes what happened after the last exchange.
  private func writeLastEvents() {
    guard failure == nil, !order.events.isEmpty else { return }
    let events = JSONValue.members(["after": RunEvent.json(order.events)]).bytes
    do {
      try file.writeAll(
        toAbsoluteOffset: length,
        Array("\n],\"_searchagg\":".utf8) + events + Array("}}\n".utf8))
    } catch {
      failure = error
      restoreEnd()
    }
  }

  /// Writes what is left; throws the first error that kept anything from being written.
  func close() throws {
    guard !isClosed else { return }
    for entry in order.rest() { write(entry) }
    writeLastEvents()
    isClosed = true
    try file.close()
    if let failure { throw failure }
  }
}

/// The archive would be larger than any that can be read again.
private struct ArchiveTooLarge: Error, CustomStringConvertible {
  var description: String { "it would exceed \(ExchangeReplay.largestFile >> 20) MiB" }
}
