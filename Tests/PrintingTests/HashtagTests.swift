import Testing

@testable import Printing

@Suite struct HashtagTests {
  private func occurs(_ topic: String, in text: String) -> Bool {
    Array(topic.utf8).withUnsafeBufferPointer { topic in
      Array(text.utf8).withUnsafeBufferPointer { Hashtag.occurs(topic, in: $0) }
    }
  }

  @Test(arguments: [
    ("swift", "#swift"), ("swift", "on #swift."), ("swift", "#Swift, again"), ("SWIFT", "a#swift"),
    ("swift", "#swiftly and #swift"), ("swift", "##swift"), ("a_1", "#a_1!"), ("swift", "#swift#x"),
  ])
  func `A topic is found as a whole hashtag, whatever its case`(topic: String, text: String) {
    #expect(occurs(topic, in: text))
  }

  @Test(arguments: [
    ("swift", "swift"), ("swift", "#swiftly"), ("swift", "#swif"), ("swift", "#swift_6"),
    ("swift", "#swift6"), ("swift", "#swift-lang"), ("swift", "#swifté"), ("swift", "#"),
    ("swift", ""), ("", "#"), ("", "# "), ("[", "#{"), ("@", "#`"),
  ])
  func `A word, a part of a hashtag and an empty topic are not found`(topic: String, text: String) {
    #expect(!occurs(topic, in: text))
  }

  @Test(arguments: ["c++", "machine learning", "straße", "swift-lang"])
  func `A topic that may have another spelling is left to those who fold it`(topic: String) {
    #expect(!occurs(topic, in: "#\(topic)"))
  }
}
