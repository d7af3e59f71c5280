import Testing
import TextFormats

@Suite struct JSONEntryTests {
  private enum Level: String, CaseIterable { case low, high }

  private func root(_ text: String, quotingValues: Bool = true) throws -> JSONEntry {
    try JSONDocument(reading: Array(text.utf8)).root(quotingValues: quotingValues)
  }

  private func message<Value>(
    _ read: () throws(DocumentError) -> Value
  ) -> String? {
    do throws(DocumentError) {
      _ = try read()
      return nil
    } catch {
      return error.description
    }
  }

  @Test func `Every value has its path and position`() throws {
    let root = try root(
      """
      {"version": 1, "a\\"]": [{"x": [1, {"y": "]}"}], "z": -1.5e3}, "two"],
        "tags": [ "one", { "query" : "q\\\\", "limit": "x" } ] }
      """)
    #expect(root.fault("x").description == "line 1, column 1: x")
    let members = try root.members(expected: "")
    #expect(members[0].entry.fault("x").description == "line 1, column 13: version: x")
    let second = try members[1].entry.elements(expected: "")
    #expect(second[1].fault("x").description == "line 1, column 63: a\"][1]: x")
    let tag = try members[2].entry.elements(expected: "")[1].members(expected: "")
    #expect(tag[1].entry.fault("x").description == "line 2, column 48: tags[1].limit: x")
    #expect(
      root.fault(expected: "a word", at: "a.b").description
        == "line 1, column 1: a.b: expected a word")
  }

  @Test func `Shapes are read`() throws {
    let known = try root(#"{"s": "x", "e": "", "b": true, "n": 3, "c": "low", "z": null}"#)
      .object(knowing: ["s", "e", "b", "n", "c", "z"])
    #expect(try known["s"]?.string(expected: "") == "x")
    #expect(try known["e"]?.string(expected: "", allowsEmpty: true) == "")
    #expect(try known["b"]?.bool() == true)
    #expect(try known["n"]?.integer(in: 1...3) == 3)
    #expect(try known["c"]?.choice() == Level.low)
    #expect(known["z"] == nil)
  }

  @Test func `A wrong shape is reported with what was expected and found`() throws {
    let entry = try root(#"[{"a": 4.5}]"#).elements(expected: "a list")[0]
    let known = try entry.object(knowing: ["a"])
    let place = "line 1, column 8: [0].a: expected"
    #expect(
      message { () throws(DocumentError) in try known["a"]?.bool() }
        == "\(place) true or false, found 4.5")
    #expect(
      message { () throws(DocumentError) in try known["a"]?.string(expected: "a word") }
        == "\(place) a word, found 4.5")
    #expect(
      message { () throws(DocumentError) in try known["a"]?.integer(in: 1...7) }
        == "\(place) a whole number from 1 to 7, found 4.5")
    #expect(
      message { () throws(DocumentError) in try known["a"]?.integer(in: 1...Int.max) }
        == "\(place) a whole number from 1, found 4.5")
    #expect(
      message { () throws(DocumentError) in try known["a"]?.choice() as Level? }
        == "\(place) one of low, high, found 4.5")
    #expect(
      message { () throws(DocumentError) in try known["a"]?.elements(expected: "a list") }
        == "\(place) a list, found 4.5")
    #expect(
      message { () throws(DocumentError) in try known["a"]?.object(knowing: ["x", "y"]) }
        == "\(place) an object with x, y, found 4.5")
  }

  @Test func `Unknown and repeated keys are refused unless they are ignored`() throws {
    let entry = try root(#"{"a": 1, "b": 2, "b": 3}"#)
    #expect(
      message { () throws(DocumentError) in try entry.object(knowing: ["a", "c"]) }
        == "line 1, column 15: b: unknown key (known: a, c)")
    #expect(
      message { () throws(DocumentError) in try entry.object(knowing: ["a", "b"]) }
        == "line 1, column 23: b: duplicate key")
    #expect(try entry.object(knowing: ["a"], ignoring: ["b"]).keys.sorted() == ["a"])
    #expect(try entry.object(knowing: ["a"], ignoresUnknown: true).keys.sorted() == ["a"])
  }

  @Test func `Secrets are not quoted`() throws {
    let entry = try root(#""s3cret""#, quotingValues: false)
    #expect(
      message { () throws(DocumentError) in try entry.bool() }
        == "line 1, column 1: expected true or false")
  }
}
