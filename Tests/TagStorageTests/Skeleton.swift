import Testing

@Test func `The TagStorageTests target builds`() {
  #expect(Bool(true))
}
