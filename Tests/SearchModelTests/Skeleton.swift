import Testing

@Test func `The SearchModelTests target builds`() {
  #expect(Bool(true))
}
