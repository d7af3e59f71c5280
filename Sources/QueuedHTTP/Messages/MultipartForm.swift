internal import Glibc

/// A form that can contain files (`multipart/form-data`, RFC 7578).
///
/// Files are read while they are sent, so a form of any size needs little memory.
public struct MultipartForm: Sendable {
  private enum Content: Sendable {
    case bytes([UInt8])
    case file(String)
  }

  private struct Part: Sendable {
    let head: [UInt8]
    let content: Content
  }

  /// The text that separates the parts.
  public let boundary: String
  private var parts: [Part] = []

  /// Creates an empty form.
  ///
  /// - Parameter boundary: A string that occurs in none of the parts; random by default.
  public init(boundary: String? = nil) {
    self.boundary =
      boundary ?? "QueuedHTTP-\(UInt64.random(in: 0 ... .max))-\(UInt64.random(in: 0 ... .max))"
  }

  /// Adds a text field.
  public mutating func append(_ name: String, _ value: String) {
    add(name, fileName: nil, contentType: nil, .bytes(Array(value.utf8)))
  }

  /// Adds a file from memory.
  public mutating func append(
    _ name: String, bytes: some Collection<UInt8>, fileName: String,
    contentType: String = "application/octet-stream"
  ) {
    add(name, fileName: fileName, contentType: contentType, .bytes(Array(bytes)))
  }

  /// Adds a file, which is read while the form is sent.
  ///
  /// - Parameters:
  ///   - name: The name of the field.
  ///   - path: The path of the file.
  ///   - fileName: The file name to send; nil means the last component of the path.
  ///   - contentType: The media type of the file.
  public mutating func append(
    _ name: String, file path: String, fileName: String? = nil,
    contentType: String = "application/octet-stream"
  ) {
    let last = path.split(separator: "/").last.map(String.init) ?? path
    add(name, fileName: fileName ?? last, contentType: contentType, .file(path))
  }

  /// The form as a body of known length; throws `HTTPError.Code.file` if a file is missing.
  func upload() throws(HTTPError) -> UploadBody {
    var pieces: [FormPieces.Piece] = []
    var length = 0
    for part in parts {
      pieces.append(.bytes(part.head))
      length += part.head.count
      switch part.content {
      case .bytes(let bytes):
        pieces.append(.bytes(bytes))
        length += bytes.count
      case .file(let path):
        let size = try Self.size(of: path)
        pieces.append(.file(path, size: size))
        length += size
      }
      pieces.append(.bytes(Array("\r\n".utf8)))
      length += 2
    }
    let end = Array("--\(boundary)--\r\n".utf8)
    pieces.append(.bytes(end))
    return .stream(length: length + end.count) { [pieces] in FormPieces(pieces: pieces) }
  }

  private mutating func add(
    _ name: String, fileName: String?, contentType: String?, _ content: Content
  ) {
    var head = "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(Self.escaped(name))\""
    if let fileName { head += "; filename=\"\(Self.escaped(fileName))\"" }
    if let contentType {
      head += "\r\nContent-Type: \(contentType.filter { !$0.isNewline })"
    }
    parts.append(Part(head: Array("\(head)\r\n\r\n".utf8), content: content))
  }

  /// A name escaped as browsers do: https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#multipart-form-data
  private static func escaped(_ name: String) -> String {
    name.unicodeScalars.reduce(into: "") { text, scalar in
      switch scalar {
      case "\"": text += "%22"
      case "\r": text += "%0D"
      case "\n": text += "%0A"
      default: text.unicodeScalars.append(scalar)
      }
    }
  }

  private static func size(of path: String) throws(HTTPError) -> Int {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else {
      throw HTTPError(unreadable: path)
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw HTTPError(.file, reason: "\(path): not a regular file")
    }
    return Int(status.st_size)
  }
}

extension HTTPRequest {
  /// Sets the body to a form with files (`multipart/form-data`).
  ///
  /// Throws `HTTPError.Code.file` if a file is missing.
  public mutating func setForm(_ form: MultipartForm) throws(HTTPError) {
    upload = try form.upload()
    body = nil
    headers["Content-Type"] = "multipart/form-data; boundary=\(form.boundary)"
  }
}

/// The bytes of a form in pieces; files are read block by block.
private struct FormPieces: AsyncSequence, Sendable {
  enum Piece: Sendable {
    case bytes([UInt8])
    case file(String, size: Int)
  }

  let pieces: [Piece]

  func makeAsyncIterator() -> Iterator { Iterator(pieces: pieces[...]) }

  struct Iterator: AsyncIteratorProtocol {
    private static let block = 128 << 10

    private var pieces: ArraySlice<Piece>
    private var file: OpenFile?

    init(pieces: ArraySlice<Piece>) { self.pieces = pieces }

    mutating func next() async throws(HTTPError) -> [UInt8]? {
      while true {
        if let file {
          if let block = try file.read(upTo: Self.block) { return block }
          self.file = nil
        }
        switch pieces.popFirst() {
        case nil: return nil
        case .bytes(let bytes)?: if !bytes.isEmpty { return bytes }
        case .file(let path, let size)?: file = try OpenFile(path, size: size)
        }
      }
    }
  }
}

/// A file that is being read; exactly its announced size is used.
private final class OpenFile {
  private let path: String
  private let descriptor: Int32
  private var left: Int

  init(_ path: String, size: Int) throws(HTTPError) {
    self.path = path
    left = size
    descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw HTTPError(unreadable: path) }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// The next bytes; nil after the last.
  func read(upTo bound: Int) throws(HTTPError) -> [UInt8]? {
    guard left > 0 else { return nil }
    var count = 0
    let wanted = min(bound, left)
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: wanted) { buffer, initialized in
      repeat {
        count = unsafe Glibc.read(descriptor, buffer.baseAddress, wanted)
      } while count < 0 && errno == EINTR
      initialized = max(0, count)
    }
    guard count >= 0 else { throw HTTPError(unreadable: path) }
    guard count > 0 else {
      throw HTTPError(.file, reason: "\(path): became shorter during the upload")
    }
    left -= count
    return bytes
  }
}
