import Testing

@Test func `The SearchSourcesTests target builds`() {
  #expect(Bool(true))
}
