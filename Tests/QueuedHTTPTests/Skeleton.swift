import Testing

@Test func `The QueuedHTTPTests target builds`() {
  #expect(Bool(true))
}
