import Testing

@Test func `The PrintingTests target builds`() {
  #expect(Bool(true))
}
