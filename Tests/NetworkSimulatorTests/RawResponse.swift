import Foundation

/// A response as it arrived on a socket, and the end of the connection.
struct RawResponse: Sendable {
  enum Ending: Sendable, Hashable {
    /// As many bytes as were announced.
    case whole
    /// Closed before that.
    case closed
    case reset
    /// Nothing came for as long as the client cared to wait.
    case silence
  }

  let head: String
  let body: [UInt8]
  let ending: Ending

  var status: Int { Int(head.dropFirst(9).prefix(3)) ?? 0 }
  var text: String { String(decoding: body, as: UTF8.self) }
  var headerLines: [Substring] { head.split(separator: "\r\n").dropFirst().map { $0 } }

  func header(_ name: String) -> String? {
    let prefix = name.lowercased() + ": "
    return headerLines.first { $0.lowercased().hasPrefix(prefix) }.map {
      String($0.dropFirst(prefix.count))
    }
  }

  /// The body as JSON; null if it is not.
  var json: JSONTree {
    JSONTree(try? JSONSerialization.jsonObject(with: Data(body), options: .fragmentsAllowed))
  }
}
