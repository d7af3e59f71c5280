import Testing

@Test func `The ArchitectureTests target builds`() {
  #expect(Bool(true))
}
