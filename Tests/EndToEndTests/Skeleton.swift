import Testing

@Test func `The EndToEndTests target builds`() {
  #expect(Bool(true))
}
