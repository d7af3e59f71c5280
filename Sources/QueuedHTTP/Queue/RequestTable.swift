/// Values of requests, next to each other in memory and nearly in order of arrival.
///
/// A dictionary scatters requests that arrived together, so reading 100,000 of them mostly waits for
/// memory. Here the dictionary holds only the place of each value. The values are in chunks: a copy of
/// the table costs one reference per chunk, and a change while a copy exists copies a single chunk.
struct RequestTable<Value: Sendable>: Sendable {
  private typealias Chunk = [Value?]

  // A generic type cannot store these.
  private static var chunkSize: Int { 64 }
  /// An empty table keeps no more memory than this.
  private static var keptChunks: Int { 16 }

  private var places: [RequestID: Int] = [:]
  private var chunks: [Chunk] = []
  /// Places below the end that hold no value.
  private var vacant: [Int] = []
  private var end = 0

  var count: Int { places.count }

  subscript(id: RequestID) -> Value? {
    guard let place = places[id] else { return nil }
    return chunks[place / Self.chunkSize][place % Self.chunkSize]
  }

  /// Adds the value of a request that has none.
  mutating func insert(_ value: Value, for id: RequestID) {
    let place = vacant.popLast() ?? end
    if place == end {
      end += 1
      if place / Self.chunkSize == chunks.count {
        chunks.append(Chunk(repeating: nil, count: Self.chunkSize))
      }
    }
    chunks[place / Self.chunkSize][place % Self.chunkSize] = value
    places[id] = place
  }

  /// Changes a value; returns what `change` returns, or nil if there is no value.
  @discardableResult
  mutating func update<Result>(_ id: RequestID, _ change: (inout Value) -> Result) -> Result? {
    guard let place = places[id] else { return nil }
    return Self.update(&chunks[place / Self.chunkSize][place % Self.chunkSize], change)
  }

  private static func update<Result>(
    _ slot: inout Value?, _ change: (inout Value) -> Result
  ) -> Result? {
    guard var value = slot.take() else { return nil }
    defer { slot = value }
    return change(&value)
  }

  /// Removes and returns a value.
  @discardableResult
  mutating func remove(_ id: RequestID) -> Value? {
    guard let place = places.removeValue(forKey: id) else { return nil }
    let value = chunks[place / Self.chunkSize][place % Self.chunkSize].take()
    if places.isEmpty { forgetPlaces() } else { vacant.append(place) }
    return value
  }

  /// Begins again with the first place, and frees what a burst has left.
  private mutating func forgetPlaces() {
    (vacant, end) = ([], 0)
    guard chunks.count > Self.keptChunks else { return }
    (places, chunks) = ([:], [])
  }

  /// All values, nearly in order of arrival.
  func forEach(_ body: (Value) -> Void) {
    for chunk in chunks {
      for case let value? in chunk { body(value) }
    }
  }
}
