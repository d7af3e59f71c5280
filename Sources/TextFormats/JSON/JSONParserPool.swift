internal import Synchronization

/// Parsers that are free, so that their buffers serve the next document.
final class JSONParserPool: Sendable {
  /// More parsers than this are not kept: each holds buffers of the size of its largest document.
  private static let capacity = 8

  private let free = Mutex<[JSONParser]>([])

  func take() throws(JSONError) -> JSONParser {
    if let kept = free.withLock({ $0.popLast() }) { return kept }
    return try JSONParser()
  }

  func give(back parser: JSONParser) {
    free.withLock { free in
      if free.count < Self.capacity { free.append(parser) }
    }
  }
}
