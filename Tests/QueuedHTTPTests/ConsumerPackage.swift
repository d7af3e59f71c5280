import Foundation
import TestSupport
import Testing

/// Packages that use the library from outside, each in a folder of its own.
enum ConsumerPackage {
  /// The repository, wherever its sources are linked from.
  static let repository = URL(filePath: #filePath).resolvingSymlinksInPath()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// What a package asks of the library. Packages that ask for the same share what they build, which is
  /// nearly all the library; SwiftPM lets one of them build at a time.
  enum Traits: String {
    case none, observers
  }

  /// Builds a copy of a package of the repository.
  static func build(_ package: String, traits: Traits) async throws -> Folder {
    let folder = try Folder()
    for name in ["Package.swift", "Sources"] {
      try FileManager.default.copyItem(
        at: repository.appending(path: package).appending(path: name),
        to: folder.url.appending(path: name))
    }
    try await build(in: folder, traits: traits)
    return folder
  }

  /// Builds the package in a folder, into its `.build`.
  static func build(in folder: Folder, traits: Traits) async throws {
    let environment = ProcessInfo.processInfo.environment
    let scratch = repository.appending(path: ".build/consumers/\(traits)").path
    try folder.link(".build", to: scratch)
    let ended = try await Program(path: "/usr/bin/env").run(
      [
        environment["SWIFT"] ?? "swift", "build", "--scratch-path", scratch,
        // Neither an index nor symbols, which take a third of the time.
        "--disable-index-store", "-Xswiftc", "-gnone",
      ],
      environment: [
        "SEARCHAGG_REPOSITORY": repository.path, "HOME": environment["HOME"] ?? folder.path,
      ], in: folder)
    try #require(ended.status == 0, "\(ended.output)\(ended.errors)")
  }
}
