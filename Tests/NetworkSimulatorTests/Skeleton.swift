import Testing

@Test func `The NetworkSimulatorTests target builds`() {
  #expect(Bool(true))
}
