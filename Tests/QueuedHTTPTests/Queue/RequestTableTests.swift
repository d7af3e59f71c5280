import Testing

@testable import QueuedHTTP

@Suite
struct RequestTableTests {
  @Test
  func `It holds what a dictionary would, whatever is added, changed and removed`() {
    var random = SystemRandomNumberGenerator()
    var table = RequestTable<Int>()
    var expected: [RequestID: Int] = [:]
    for step in 0..<20_000 {
      let id = RequestID(rawValue: .random(in: 0..<2_000, using: &random))
      switch Int.random(in: 0..<3, using: &random) {
      case 0:
        guard expected[id] == nil else { continue }
        table.insert(step, for: id)
        expected[id] = step
      case 1:
        table.update(id) { $0 += 1 }
        expected[id]? += 1
      default: #expect(table.remove(id) == expected.removeValue(forKey: id))
      }
      #expect(table[id] == expected[id])
    }
    #expect(table.count == expected.count)
    #expect(values(of: table).sorted() == expected.values.sorted())
  }

  @Test
  func `Values are in order of arrival, and again after all of a burst have left`() {
    var table = RequestTable<UInt64>()
    for _ in 0..<2 {
      for number in 0..<5_000 as Range<UInt64> {
        table.insert(number, for: RequestID(rawValue: number))
      }
      #expect(values(of: table) == Array(0..<5_000))
      for number in (0..<5_000 as Range<UInt64>).reversed() {
        table.remove(RequestID(rawValue: number))
      }
      #expect(values(of: table).isEmpty && table.count == 0)
    }
  }

  @Test
  func `A copy keeps its values`() {
    var table = RequestTable<UInt64>()
    for number in 0..<200 as Range<UInt64> {
      table.insert(number, for: RequestID(rawValue: number))
    }
    let copy = table
    table.update(RequestID(rawValue: 0)) { $0 = 1 }
    for number in 100..<200 as Range<UInt64> { table.remove(RequestID(rawValue: number)) }
    #expect(values(of: copy) == Array(0..<200))
  }

  private func values<Value>(of table: RequestTable<Value>) -> [Value] {
    var values: [Value] = []
    table.forEach { values.append($0) }
    return values
  }
}
