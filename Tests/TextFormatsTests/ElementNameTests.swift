import Testing

@testable import TextFormats

@Suite struct ElementNameTests {
  private func name(_ text: String) -> ElementName { ElementName(Array(text.utf8)[...]) }

  @Test func `Names are equal if their letters are, whatever their length`() {
    let names =
      (0...40).map { String(repeating: "a", count: $0) }
      + [
        "b", "ab", "p\0", "\0", "aaaaaaaab", "aaaaaaaaaaaaaaab", "aaaaaaaaaaaaaaaab", "blockquotes",
      ]
    for one in names {
      for other in names {
        #expect((name(one) == name(other.uppercased())) == (one == other), "\(one) and \(other)")
      }
    }
  }

  @Test(arguments: [
    ("p", 1), ("P", 1), ("textarea", 2), ("TextArea", 2), ("blockquote", 3), ("p\0", 0), ("", 0),
    ("textareas", 0), ("blockquot", 0), ("blockquotf", 0), ("textarea\0", 0),
    ("averylongnameofanelement", 0),
  ])
  func `A name is found in a switch by all of its letters`(text: String, number: Int) {
    let found =
      switch name(text) {
      case "p": 1
      case "textarea": 2
      case "blockquote": 3
      default: 0
      }
    #expect(found == number)
    #expect((name(text) == ElementName("blockquote")) == (number == 3))
  }
}
