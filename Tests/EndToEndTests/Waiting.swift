import Testing

/// Waits until something is seen, or records an issue after two minutes.
///
/// Nothing tells when another process is so far, so it is looked at again and again.
func waitUntil(
  _ what: String, _ condition: () throws -> Bool, sourceLocation: SourceLocation = #_sourceLocation
) async throws {
  for _ in 0..<12_000 {
    if try condition() { return }
    try await Task.sleep(for: .milliseconds(10))
  }
  Issue.record("never seen: \(what)", sourceLocation: sourceLocation)
}
