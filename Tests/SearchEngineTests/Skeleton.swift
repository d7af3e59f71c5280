import Testing

@Test func `The SearchEngineTests target builds`() {
  #expect(Bool(true))
}
