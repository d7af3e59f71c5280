import Testing
import TextFormats

@testable import SearchSources

@Suite struct NodeTableTests {
  /// Calls `body` with the elements of a list.
  private func read<Result>(_ list: String, _ body: ([JSONNode]) throws -> Result) throws -> Result
  {
    let text = Array("[\(list)]".utf8)
    return try (text + Array(repeating: 0, count: JSON.spareBytes)).withUnsafeBytes { buffer in
      try JSON.read(padded: UnsafeRawBufferPointer(rebasing: buffer[..<text.count])) { root in
        try body(Array(root.elements))
      }
    }
  }

  @Test(
    arguments: [
      ("12", #""12""#), (#""12""#, "12"), ("12.0", "12"),
      ("18446744073709551615", "18446744073709551615"),
      (#""18446744073709551615""#, "18446744073709551615"), ("-1", #""-1""#), ("0", #""0""#),
      (#""a""#, #""a""#), (#""caf\u00e9""#, #""café""#),
    ])
  func `A number and its digits are one identifier`(one: String, other: String) throws {
    try read("\(one), \(other)") { nodes in
      var table = NodeTable<String>()
      table.set("value", for: nodes[0])
      #expect(table[nodes[1]] == "value")
    }
  }

  @Test(arguments: ["007", "+7", "7a", " 7", "7.0", "７", "70", "77"])
  func `Any other text is an identifier of its own`(text: String) throws {
    try read(#"7, "7", "\#(text)""#) { nodes in
      var table = NodeTable<String>()
      table.set("seven", for: nodes[0])
      #expect(table[nodes[2]] == nil)
      table.set("text", for: nodes[2])
      #expect(table[nodes[1]] == "seven")
      #expect(table[nodes[2]] == "text")
      #expect(table.count == 2)
    }
  }

  @Test(arguments: ["\"\"", "null", "true", "1.5", "[1]", #"{"id": 1}"#])
  func `Anything else is no identifier`(json: String) throws {
    try read(json) { nodes in
      var table = NodeTable<Int>()
      table.set(1, for: nodes[0])
      table.set(1, for: nil)
      #expect(table.count == 0)
      #expect(table[nodes[0]] == nil)
      #expect(table[nil] == nil)
    }
  }

  @Test(arguments: [0, 1, 500, 1000])
  func `Of many identifiers each has its latest value`(expected: Int) throws {
    let list = (0..<500).map { $0 % 3 == 0 ? "\($0)" : "\"\($0)\"" }.joined(separator: ", ")
    try read(list) { nodes in
      var table = NodeTable<Int>(expecting: expected)
      for (number, node) in nodes.enumerated() { table.set(-number, for: node) }
      for (number, node) in nodes.enumerated() { table.set(number, for: node) }
      #expect(table.count == 500)
      for (number, node) in nodes.enumerated() { #expect(table[node] == number) }
    }
  }
}
