import Testing

@Test func `The SafeFilesTests target builds`() {
  #expect(Bool(true))
}
