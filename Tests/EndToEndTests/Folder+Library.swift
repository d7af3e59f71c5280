import TestSupport
import Testing

extension Folder {
  /// Makes a library of C, for a program to load before all others, and returns its path.
  func compile(_ text: String, to name: String) async throws -> String {
    let source = try write(text, to: "\(name).c")
    let library = "\(path)/\(name)"
    let compiled = try await Program(path: "/usr/bin/env").run(
      ["clang", "-shared", "-fPIC", "-o", library, source], in: self)
    try #require(compiled.status == 0, "\(compiled.errors)")
    return library
  }
}
