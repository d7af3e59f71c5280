import Foundation

/// The `searchagg` that was built beside the tests, run as a process of its own.
struct BuiltCommand {
  private let path: String

  /// Nil when none is there.
  static let found: BuiltCommand? = {
    let folder = Bundle.main.executableURL?.resolvingSymlinksInPath().deletingLastPathComponent()
    guard let path = folder?.appending(path: "searchagg").path,
      FileManager.default.isExecutableFile(atPath: path)
    else { return nil }
    return BuiltCommand(path: path)
  }()

  /// Starts it in a folder; what it says goes nowhere.
  func start(_ arguments: [String], in folder: Folder) throws -> Process {
    let process = Process()
    process.executableURL = URL(filePath: path)
    process.arguments = arguments
    process.currentDirectoryURL = URL(filePath: folder.path)
    process.environment = ["HOME": folder.path]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    return process
  }

  /// Runs it to its end and returns its exit status.
  func run(_ arguments: String..., in folder: Folder) throws -> Int32 {
    let process = try start(arguments, in: folder)
    process.waitUntilExit()
    return process.terminationStatus
  }
}
