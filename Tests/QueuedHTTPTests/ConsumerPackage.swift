import Foundation
import TestSupport
import Testing

/// Packages that use the library from outside, each built in a folder of its own.
enum ConsumerPackage {
  /// The repository, wherever its sources are linked from.
  static let repository = URL(filePath: #filePath).resolvingSymlinksInPath()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Builds a copy of a package of the repository.
  static func build(_ package: String) async throws -> Folder {
    let folder = try Folder()
    for name in ["Package.swift", "Sources"] {
      try FileManager.default.copyItem(
        at: repository.appending(path: package).appending(path: name),
        to: folder.url.appending(path: name))
    }
    try await build(in: folder)
    return folder
  }

  /// Builds the package in a folder.
  static func build(in folder: Folder) async throws {
    let environment = ProcessInfo.processInfo.environment
    let ended = try await Program(path: "/usr/bin/env").run(
      [environment["SWIFT"] ?? "swift", "build"],
      environment: [
        "SEARCHAGG_REPOSITORY": repository.path, "HOME": environment["HOME"] ?? folder.path,
      ], in: folder)
    try #require(ended.status == 0, "\(ended.output)\(ended.errors)")
  }
}
