internal import Glibc
internal import SafeFiles
internal import Synchronization

/// The file that a response's body is written to; it gets its name when it is complete.
final class BodyFile: Sendable {
  private struct Content: ~Copyable {
    var replacement: FileReplacement?
    var part: PartialFile?
  }

  private let content: Mutex<Content>

  /// Opens a temporary file next to the path; `requested` is the part that was requested.
  init(
    _ path: String, resumes: Bool, status: Int, headers: HTTPHeaders, from address: String,
    requested: PartialFile.Rest?
  ) throws(HTTPError) {
    var opened = Content()
    if resumes {
      opened.part = try PartialFile.open(
        path, status: status, headers: headers, from: address, requested: requested)
    } else {
      do throws(FileWriteError) { opened.replacement = try FileReplacement(of: path) } catch {
        throw Self.failure(error)
      }
    }
    content = Mutex(opened)
  }

  @unsafe
  func write(_ bytes: UnsafeRawBufferPointer) throws(HTTPError) {
    try content.withLock { content throws(HTTPError) in
      do throws(FileWriteError) { try unsafe content.replacement?.write(bytes) } catch {
        throw Self.failure(error)
      }
      try unsafe content.part?.write(bytes)
    }
  }

  /// Throws if the file is incomplete.
  func checkEnd() throws(HTTPError) {
    try content.withLock { content throws(HTTPError) in try content.part?.checkEnd() }
  }

  /// Gives the file its name.
  func commit() throws(HTTPError) {
    try content.withLock { content throws(HTTPError) in
      if let replacement = content.replacement.take() {
        do throws(FileWriteError) { try replacement.commit() } catch { throw Self.failure(error) }
      }
      if let part = content.part.take() { try part.commit() }
    }
  }

  /// Removes the file, unless a later request can continue it.
  func discard() {
    content.withLock { content in
      content.replacement = nil
      content.part = nil
    }
  }

  private static func failure(_ error: FileWriteError) -> HTTPError {
    HTTPError(.file, reason: error.description)
  }
}

/// A partial download, stored next to the file that it will become.
///
/// A second file, the note, says what it is a part of: the requested URL, the validator that identifies
/// the version (RFC 9110, section 13.1.5), and the complete size. Without all of them, a download that
/// cannot be finished is removed.
struct PartialFile: ~Copyable {
  /// The rest to download.
  struct Rest: Sendable, Hashable {
    var offset: Int
    /// The strong entity tag or the date of the part.
    var validator: String
    /// The complete size.
    var total: Int
  }

  /// The whole that a part belongs to.
  private struct Note {
    var address: String
    var validator: String
    var total: Int

    private static let form = "part 2"

    /// Returns nil if the response does not identify its version.
    init?(_ address: String, of headers: HTTPHeaders) {
      // Parts of a compressed body could not be put together.
      guard headers["Content-Encoding"] == nil,
        let total = headers["Content-Length"].flatMap({ Int($0) }), total >= 0,
        let validator = Self.validator(of: headers)
      else { return nil }
      (self.address, self.validator, self.total) = (address, validator, total)
    }

    init?(_ text: String) {
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      guard lines.count == 5, lines[0] == Self.form, let total = Int(lines[3]), lines[4].isEmpty
      else { return nil }
      (address, validator, self.total) = (lines[1], lines[2], total)
    }

    var text: String { "\(Self.form)\n\(address)\n\(validator)\n\(total)\n" }

    static func validator(of headers: HTTPHeaders) -> String? {
      if let tag = headers["ETag"] { return tag.hasPrefix("W/") ? nil : tag }
      return headers["Last-Modified"]
    }
  }

  private let target: ReplacedFile
  private let part: String
  private let descriptor: Int32
  /// The complete size, if known.
  private let total: Int?
  private var isKept: Bool
  private var isOver = false

  /// The rest of a file that an earlier attempt downloaded in part from the same URL.
  static func rest(of path: String, from address: String) -> Rest? {
    guard let target = try? ReplacedFile(path) else { return nil }
    let part = target.part
    var status = stat()
    guard unsafe lstat(part, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_size > 0,
      let bytes = try? BoundedRead.bytes(of: note(of: part), limit: 256 << 10),
      let note = Note(String(decoding: bytes, as: UTF8.self)), note.address == place(address)
    else { return nil }
    return Rest(
      offset: Int(status.st_size), validator: note.validator, total: note.total)
  }

  /// Opens the part of a file: to continue it if the response does, otherwise to start over.
  ///
  /// - Parameter address: The requested URL, before redirects.
  static func open(
    _ path: String, status: Int, headers: HTTPHeaders, from address: String, requested: Rest?
  ) throws(HTTPError) -> PartialFile {
    let target: ReplacedFile
    do throws(FileWriteError) { target = try ReplacedFile(path) } catch {
      throw HTTPError(.file, reason: error.description)
    }
    let part = target.part
    let descriptor = unsafe Glibc.open(
      part, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, target.modeOfPart)
    guard descriptor >= 0 else { throw failure(path) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      close(descriptor)
      throw HTTPError(.file, reason: "\(path): another request is writing it")
    }
    guard status == 206 else {
      let note = Note(place(address), of: headers)
      let file = PartialFile(
        target: target, part: part, descriptor: descriptor, total: note?.total,
        isKept: note != nil)
      try file.begin(note)
      return file
    }
    guard let requested, fits(headers, requested),
      lseek(descriptor, 0, SEEK_END) == requested.offset
    else {
      // Its deinitializer removes the part.
      _ = PartialFile(
        target: target, part: part, descriptor: descriptor, total: nil, isKept: false)
      throw HTTPError(.brokenAnswer, reason: "the response is not the requested part")
    }
    return PartialFile(
      target: target, part: part, descriptor: descriptor, total: requested.total, isKept: true)
  }

  private init(
    target: ReplacedFile, part: String, descriptor: Int32, total: Int?, isKept: Bool
  ) {
    self.target = target
    self.part = part
    self.descriptor = descriptor
    self.total = total
    self.isKept = isKept
  }

  deinit {
    if !isOver {
      var status = stat()
      let isEmpty = unsafe fstat(descriptor, &status) != 0 || status.st_size == 0
      // A part that is too long is not a part of this file.
      let isTooLong = total.map { status.st_size > $0 } ?? false
      if isEmpty || isTooLong || !isKept { Self.remove(part) }
    }
    close(descriptor)
  }

  /// Removes a file's part; returns false where that is not allowed, and it would be continued again.
  static func forget(_ path: String) -> Bool {
    guard let part = try? ReplacedFile(path).part else { return false }
    remove(part)
    var status = stat()
    return unsafe lstat(part, &status) != 0
  }

  @unsafe
  mutating func write(_ bytes: UnsafeRawBufferPointer) throws(HTTPError) {
    var rest = unsafe bytes
    while unsafe !rest.isEmpty {
      let count = unsafe Glibc.write(descriptor, rest.baseAddress, rest.count)
      guard count > 0 else {
        if count < 0, errno == EINTR { continue }
        throw Self.failure(target.path)
      }
      unsafe rest = unsafe UnsafeRawBufferPointer(rebasing: rest[count...])
    }
  }

  /// Throws if the part is not complete yet.
  func checkEnd() throws(HTTPError) {
    var status = stat()
    guard let total, unsafe fstat(descriptor, &status) == 0, status.st_size != total else { return }
    throw HTTPError(
      .brokenAnswer,
      reason: "the response is incomplete: \(Wording.exactBytes(Int(status.st_size))) "
        + "of \(Wording.exactBytes(total))")
  }

  /// Renames the part to the complete file, once the disk has it.
  consuming func commit() throws(HTTPError) {
    do throws(FileWriteError) { try target.commit(part, descriptor: descriptor) } catch {
      throw HTTPError(.file, reason: error.description)
    }
    isOver = true
    unsafe unlink(Self.note(of: part))
  }

  private func begin(_ content: Note?) throws(HTTPError) {
    guard ftruncate(descriptor, 0) == 0 else { throw Self.failure(target.path) }
    let note = Self.note(of: part)
    guard let content else {
      unsafe unlink(note)
      return
    }
    do throws(FileWriteError) {
      // URLs may contain secrets.
      var replacement = try FileReplacement(of: note, access: .ownerOnly)
      try replacement.write(Array(content.text.utf8))
      try replacement.commit()
    } catch { throw HTTPError(.file, reason: error.description) }
  }

  private static func note(of part: String) -> String { part + ".of" }

  /// A URL without its fragment, which is not sent.
  private static func place(_ address: String) -> String { String(address.prefix { $0 != "#" }) }

  private static func remove(_ part: String) {
    unsafe unlink(part)
    unsafe unlink(note(of: part))
  }

  private static func failure(_ path: String) -> HTTPError {
    let reason = unsafe String(cString: strerror(errno))
    return HTTPError(.file, reason: "\(path): cannot be written: \(reason)")
  }

  /// True if a response continues at the end of the part, in the same version (RFC 9110, section 14.4). It
  /// may be shorter than requested.
  private static func fits(_ headers: HTTPHeaders, _ requested: Rest) -> Bool {
    guard let range = headers["Content-Range"], range.lowercased().hasPrefix("bytes ") else {
      return false
    }
    let numbers = range.dropFirst(6).split(whereSeparator: { "-/".contains($0) }).map { Int($0) }
    guard numbers.count == 3, let first = numbers[0], let last = numbers[1],
      let total = numbers[2], first == requested.offset, total == requested.total, last >= first,
      last < total
    else { return false }
    if let length = headers["Content-Length"], Int(length) != last - first + 1 { return false }
    // The server need not repeat the validator, but must not send another one.
    return Note.validator(of: headers).map { $0 == requested.validator } ?? true
  }
}
