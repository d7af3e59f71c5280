internal import Glibc
internal import SafeFiles

/// The part of a body that came so far, kept beside the file that it shall become.
///
/// A second file beside it holds what tells whether the server still has the same (RFC 9110,
/// section 13.1.5). Without that the part is removed when it cannot be finished.
struct PartialFile: ~Copyable {
  /// What is still to be asked for.
  struct Rest: Sendable, Hashable {
    var offset: Int
    /// The strong entity tag or the date that came with the part.
    var validator: String
  }

  private let path: String
  private let part: String
  private let descriptor: Int32
  private let isKept: Bool
  private var isOver = false

  /// Where the part of a file is kept.
  static func part(of path: String) -> String {
    let slash = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    return "\(path[..<slash]).\(path[slash...]).part"
  }

  private static func note(of part: String) -> String { part + ".of" }

  /// What an earlier attempt left of a file, if it is of any use.
  static func rest(of path: String) -> Rest? {
    let part = part(of: path)
    var status = stat()
    guard unsafe stat(part, &status) == 0, status.st_size > 0,
      let note = try? BoundedRead.bytes(of: note(of: part), limit: 4096), !note.isEmpty
    else { return nil }
    return Rest(offset: Int(status.st_size), validator: String(decoding: note, as: UTF8.self))
  }

  /// Opens the part of a file: to go on where the answer does, else anew.
  static func open(
    _ path: String, head: HTTPResponse, asked: Rest?
  ) throws(HTTPError) -> PartialFile {
    let part = part(of: path)
    let descriptor = unsafe Glibc.open(part, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw failure(path) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      close(descriptor)
      throw HTTPError(.file, reason: "\(path): is being written by another request")
    }
    let validator = validator(of: head.headers)
    let file = PartialFile(path: path, part: part, descriptor: descriptor, isKept: validator != nil)
    guard head.status == 206 else {
      try file.begin(validator)
      return file
    }
    guard let asked, start(of: head.headers) == asked.offset,
      lseek(descriptor, 0, SEEK_END) == asked.offset
    else {
      remove(part)
      throw HTTPError(.brokenAnswer, reason: "the answer is another part than was asked for")
    }
    return file
  }

  private init(path: String, part: String, descriptor: Int32, isKept: Bool) {
    self.path = path
    self.part = part
    self.descriptor = descriptor
    self.isKept = isKept
  }

  deinit {
    if !isOver {
      var status = stat()
      let isEmpty = unsafe fstat(descriptor, &status) != 0 || status.st_size == 0
      if isEmpty || !isKept { Self.remove(part) }
    }
    close(descriptor)
  }

  /// Removes what is kept of a file's part.
  static func forget(_ path: String) { remove(part(of: path)) }

  @unsafe
  mutating func write(_ bytes: UnsafeRawBufferPointer) throws(HTTPError) {
    var rest = unsafe bytes
    while unsafe !rest.isEmpty {
      let count = unsafe Glibc.write(descriptor, rest.baseAddress, rest.count)
      guard count > 0 else {
        if count < 0, errno == EINTR { continue }
        throw Self.failure(path)
      }
      unsafe rest = unsafe UnsafeRawBufferPointer(rebasing: rest[count...])
    }
  }

  /// Gives the part the name of the whole, once the disk has it.
  consuming func commit() throws(HTTPError) {
    guard fsync(descriptor) == 0, unsafe rename(part, path) == 0 else { throw Self.failure(path) }
    isOver = true
    unsafe unlink(Self.note(of: part))
  }

  private func begin(_ validator: String?) throws(HTTPError) {
    guard ftruncate(descriptor, 0) == 0 else { throw Self.failure(path) }
    let note = Self.note(of: part)
    guard let validator else {
      unsafe unlink(note)
      return
    }
    do throws(FileWriteError) {
      var replacement = try FileReplacement(of: note)
      try replacement.write(Array(validator.utf8))
      try replacement.commit()
    } catch { throw HTTPError(.file, reason: error.description) }
  }

  private static func remove(_ part: String) {
    unsafe unlink(part)
    unsafe unlink(note(of: part))
  }

  private static func failure(_ path: String) -> HTTPError {
    let reason = unsafe String(cString: strerror(errno))
    return HTTPError(.file, reason: "\(path): cannot be written: \(reason)")
  }

  private static func validator(of headers: HTTPHeaders) -> String? {
    // Pieces of a compressed body would not fit together.
    guard headers["Content-Encoding"] == nil else { return nil }
    if let tag = headers["ETag"] { return tag.hasPrefix("W/") ? nil : tag }
    return headers["Last-Modified"]
  }

  /// The first byte of the range that an answer says it holds.
  private static func start(of headers: HTTPHeaders) -> Int? {
    guard let range = headers["Content-Range"], range.hasPrefix("bytes ") else { return nil }
    return Int(range.dropFirst(6).prefix { $0 != "-" })
  }
}
