/// A request body that is not in memory.
public struct UploadBody: Sendable {
  enum Origin: Sendable {
    case file(path: String)
    case stream(length: Int?, make: @Sendable (UploadPump) async throws -> Void)
  }

  let origin: Origin

  /// The stated number of bytes; nil for a file.
  var length: Int? {
    switch origin {
    case .file: nil
    case .stream(let length, _): length
    }
  }

  /// The bytes of a file, read while they are sent.
  public static func file(_ path: String) -> UploadBody { UploadBody(origin: .file(path: path)) }

  /// Bytes that are produced while they are sent, and no faster.
  ///
  /// A sequence with more or fewer bytes than stated fails with `HTTPError.Code.requestBody`: the last
  /// byte is sent only when the sequence has ended.
  ///
  /// - Parameters:
  ///   - length: The total number of bytes; without it they are sent in chunks (HTTP/1.1) or frames.
  ///   - make: Creates the sequence, for each attempt and each redirect that keeps the body. One that
  ///     was read before has nothing left: with a `length`, sending it again fails with
  ///     `HTTPError.Code.requestBody`.
  public static func stream<Bytes: AsyncSequence & Sendable>(
    length: Int? = nil, _ make: @escaping @Sendable () -> Bytes
  ) -> UploadBody where Bytes.Element == [UInt8] {
    UploadBody(
      origin: .stream(length: length) { pump in
        for try await piece in make() {
          guard await pump.put(piece) else { return }
        }
      })
  }
}
