internal import SafeFiles
internal import Synchronization

/// The destination of what a command prints, to which it writes once, or again and again.
///
/// | destination | written once | grows |
/// | --- | --- | --- |
/// | standard output | piece by piece, or through a pager | piece by piece |
/// | a file | replaced as a whole | reopened, continued by all bytes or none |
/// | a pipe or a device | opened, then piece by piece | the same, and left open |
///
/// A reader who has gone is `OutputFailure.closed`. Every other error names the path as the user wrote it.
final class OutputSink: Sendable {
  private enum Destination: Sendable {
    case stream(any OutputStreaming)
    /// Standard output on a screen of some rows.
    case screen(any OutputStreaming, rows: Int)
    case file(path: String)
    /// It is opened when there is something to write.
    case device(path: String)
  }

  private struct State: Sendable {
    var hasBegun = false
    var device: DescriptorStream?
  }

  private let destination: Destination
  /// The path as the user wrote it.
  private let name: String
  private let surroundings: Surroundings
  private let state = Mutex(State())

  /// Refuses a file that cannot be written.
  ///
  /// - Parameters:
  ///   - path: The path of a file, a pipe or a device; nil for standard output.
  ///   - isPaged: Whether a pager shows what is longer than the screen of standard output.
  init(to path: String?, isPaged: Bool = false, in surroundings: Surroundings) throws {
    self.surroundings = surroundings
    name = path ?? ""
    guard let path else {
      let screen = isPaged ? surroundings.outputScreen : nil
      destination =
        if let screen, screen.isCapable, let rows = screen.rows {
          .screen(surroundings.output, rows: rows)
        } else {
          .stream(surroundings.output)
        }
      return
    }
    let absolute = surroundings.absolutePath(path)
    do throws(FileWriteError) {
      _ = try FileReplacement(of: absolute)
      destination = .file(path: absolute)
    } catch .notRegular {
      destination = .device(path: absolute)
    } catch {
      throw CommandFailure(of: error, about: path)
    }
  }

  /// True if this is a file, which need not exist yet.
  var isFile: Bool { if case .file = destination { true } else { false } }

  /// True if this is a file that exists.
  var isExistingFile: Bool {
    if case .file(let path) = destination { BoundedRead.isThere(path) } else { false }
  }

  /// True if the reader has gone, so that nothing more can be written.
  var isClosed: Bool {
    switch destination {
    case .stream(let stream), .screen(let stream, _): stream.isClosed
    case .device: state.withLock { $0.device }?.isClosed ?? false
    case .file: false
    }
  }

  /// Writes the whole output; a file stays as it was until all of it has been written.
  ///
  /// - Parameters:
  ///   - isSynced: Whether to wait for the disk.
  ///   - produce: Passes on the output piece by piece.
  func write(
    isSynced: Bool = true, _ produce: (_ write: ([UInt8]) throws -> Void) throws -> Void
  ) throws {
    switch destination {
    case .stream(let stream): try produce { try stream.write($0) }
    case .screen(let stream, let rows):
      var text: [UInt8] = []
      try produce { text += $0 }
      var lines = 0
      for byte in text where byte == 0x0A { lines += 1 }
      // The last line of the screen is the shell's next prompt.
      if lines < rows || !showInPager(text) { try stream.write(text) }
    case .device(let path):
      let stream = try DescriptorStream(writingTo: path, named: name)
      try produce { try stream.write($0) }
    case .file(let path):
      try naming(name) {
        var file = try FileReplacement(of: path)
        try produce { try file.write($0) }
        try file.commit(isSynced: isSynced)
      }
    }
  }

  /// Shows text in a pager; returns false if it has to be printed, too.
  private func showInPager(_ text: [UInt8]) -> Bool {
    switch surroundings.host.page(text) {
    case .shown: return true
    case .absent: return false
    case .failed(let command, let status):
      surroundings.report(
        "the pager '\(command)' ended with status \(status); SEARCHAGG_PAGER=cat turns it off")
      return false
    }
  }

  /// Writes more of an output that grows; a file stays as it was if that fails. Calls come one after the other.
  ///
  /// - Parameter heading: The bytes that precede all others, if nothing is there yet.
  func append(_ bytes: [UInt8], after heading: [UInt8], isSynced: Bool = true) throws {
    let bytes = { hasHeading in hasHeading ? bytes : heading + bytes }
    let hasBegun = state.withLock { $0.hasBegun }
    switch destination {
    case .stream(let stream), .screen(let stream, _): try stream.write(bytes(hasBegun))
    case .device(let path): try openDevice(at: path).write(bytes(hasBegun))
    case .file(let path):
      try naming(name) {
        let file = try FileExtension(of: path)
        // The heading is there already, unless the file was moved away.
        let bytes = bytes(file.length > 0)
        if !bytes.isEmpty { try file.append(bytes, isSynced: isSynced) }
      }
    }
    state.withLock { $0.hasBegun = true }
  }

  /// The stream to a pipe or device, which stays open from the first write on.
  private func openDevice(at path: String) throws -> DescriptorStream {
    if let device = state.withLock({ $0.device }) { return device }
    let device = try DescriptorStream(writingTo: path, named: name)
    state.withLock { $0.device = device }
    return device
  }
}
