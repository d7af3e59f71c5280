import FoundationEssentials
import Testing
import TextFormats

@Suite struct JSONTests {
  /// Reads a text as adapters read a body, with spare bytes after it.
  private func read<Result>(_ text: String, _ visit: (JSONNode) throws -> Result) throws -> Result {
    let bytes = Array(text.utf8)
    let padded = bytes + [UInt8](repeating: 0, count: JSON.spareBytes)
    return try padded.withUnsafeBytes {
      try JSON.read(padded: UnsafeRawBufferPointer(rebasing: $0[..<bytes.count]), visit)
    }
  }

  @Test func `Values are found by key, whatever comes before`() throws {
    let text = #"{"a":{"deep":[1,2,{"x":null}]},"b":[],"c":{},"id":10765432100123456789,"t":"é\n"}"#
    try read(text) { root in
      #expect(root.kind == .object)
      #expect(root["id"]?.identifier == "10765432100123456789")
      #expect(root["t"]?.string == "é\n")
      #expect(root["a"]?["deep"]?.elements.map(\.kind) == [.number, .number, .object])
      #expect(root["b"]?.elements.map(\.kind) == [])
      #expect(root["missing"] == nil)
      #expect(root["a"]?["deep"]?["x"] == nil)
      #expect(root.members.map { $0.key.string } == ["a", "b", "c", "id", "t"])
    }
  }

  @Test func `Reading goes on after parsers were released, also by a reader`() throws {
    try read("[1]") { outer in
      JSON.releaseParsers()
      try #expect(read("[2]") { $0.elements.map(\.integer) } == [2])
      #expect(outer.elements.map(\.integer) == [1])
    }
    JSON.releaseParsers()
    try #expect(read("[3]") { $0.elements.map(\.integer) } == [3])
  }

  @Test func `A long string is read up to a bound, but written completely`() throws {
    let long = "x" + String(repeating: "é", count: 1 << 20)
    let text = "{\"a\":\"\(long)\"}"
    try read(text) { root in
      let string = root["a"]?.string ?? ""
      #expect(string.utf8.count <= 1 << 20 && string.utf8.count > 1 << 20 - 4)
      #expect(long.hasPrefix(string) && string.hasSuffix("é"))
    }
    let value = try JSONValue(reading: Array(text.utf8))
    #expect(String(decoding: value.bytes, as: UTF8.self) == text)
  }

  @Test func `A null reads as absent`() throws {
    try read(#"{"url":null}"#) { #expect($0["url"] == nil) }
  }

  @Test(arguments: ["", "{", "[1,]", #"{"a" 1}"#, "nul", "\u{1}"])
  func `Text that is not JSON throws`(text: String) {
    #expect(throws: JSONError.self) { try read(text) { _ in } }
  }

  @Test func `The writer escapes only what must be escaped`() throws {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("a\"b")
    writer.string("\u{1}\t/é\\")
    writer.key("n")
    writer.beginArray()
    writer.integer(-1)
    writer.bool(true)
    writer.null()
    writer.endArray()
    writer.key("o")
    writer.beginObject()
    writer.endObject()
    writer.endObject()
    let text = String(decoding: writer.bytes, as: UTF8.self)
    #expect(text == #"{"a\"b":"\u0001\t/é\\","n":[-1,true,null],"o":{}}"#)
  }

  @Test(arguments: [
    (0.0, "1970-01-01T00:00:00.000Z"), (-0.001, "1969-12-31T23:59:59.999Z"),
    (951_782_400.5, "2000-02-29T00:00:00.500Z"), (1_763_715_600.123, "2025-11-21T09:00:00.123Z"),
  ])
  func `A date is written in UTC with milliseconds`(seconds: Double, text: String) {
    #expect(RFC3339.format(Date(timeIntervalSince1970: seconds)) == text)
  }
}
