import SearchModel
import SearchSources

/// Feeds of any kind, read by their source and printed in each format.
enum FeedsTarget {
  static func read(_ input: [UInt8]) -> Int32 {
    guard let place = Sources.all.firstIndex(where: { $0.name.rawValue == "feed" }) else {
      preconditionFailure("there is no source for feeds")
    }
    return AnswersTarget.read([UInt8(place), 0] + input)
  }
}
