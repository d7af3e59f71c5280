import Foundation

extension String {
  /// The identities of the posts in lines of ndjson, whose last one may still be incomplete.
  var printedPosts: [String] {
    get throws {
      let end = lastIndex(of: "\n") ?? startIndex
      return try self[..<end].split(separator: "\n").compactMap { line in
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        return object?["uri"].map { "\(object?["source"] ?? "") \($0)" }
      }
    }
  }
}
