import Foundation
import QueuedHTTP
import SearchModel
import Testing

@testable import SearchSources

extension SimulatedAsking {
  /// Checks that no value of another type costs more than its own item.
  ///
  /// - Returns: How many items were read with each value in its place.
  func checkSpoiled(_ whole: Answered) throws -> Int {
    // A few items have all keys that there are, and are read a thousand times in no time.
    let json = JSONPlaces.shortened(
      try JSONSerialization.jsonObject(
        with: Data(whole.response.body.text.utf8), options: .fragmentsAllowed), to: 4)
    func page(of bytes: [UInt8]) throws(SourceFault) -> Page {
      var response = whole.response
      response.body = HTTPBody(bytes)
      return try source.page(from: response, to: whole.asked)
    }
    let bytes = try JSONSerialization.data(withJSONObject: json, options: .fragmentsAllowed)
    let items = try page(of: [UInt8](bytes)).posts.count
    let wrong = ["null", "5", "-1.5", "true", #""""#, #""x""#, "[5]", #"{"a":1}"#]
    try JSONPlaces.forEachSpoiled(json, by: wrong) { bytes, change in
      // A broken envelope is a permanent failure, or an empty page.
      let read: Page
      do throws(SourceFault) { read = try page(of: bytes) } catch {
        if case .failed(let failure) = error, failure.kind == .permanent { return }
        Issue.record("\(change): \(error)")
        return
      }
      guard !read.posts.isEmpty else { return }
      #expect(read.posts.count + read.brokenItems >= items - 1, "\(change)")
      #expect(read.brokenItems <= 1, "\(change)")
    }
    return items
  }
}
