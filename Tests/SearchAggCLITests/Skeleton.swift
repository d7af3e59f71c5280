import Testing

@Test func `The SearchAggCLITests target builds`() {
  #expect(Bool(true))
}
