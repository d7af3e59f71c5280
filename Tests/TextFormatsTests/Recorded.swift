import Foundation

/// Recorded answers beside the package, where they are at hand.
enum Recorded {
  private static let folder = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "../shared/recorded").standardizedFileURL

  /// The lines of a file that are neither empty nor a comment; none where it is absent.
  static func lines(_ path: String) -> [String] {
    guard let data = try? Data(contentsOf: folder.appending(path: path)) else { return [] }
    return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
      .filter { !$0.hasPrefix("#") }
  }
}
