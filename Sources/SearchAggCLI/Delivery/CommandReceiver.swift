/// The command of `--exec`.
struct CommandReceiver: Delivery.Receiver {
  let command: ShellCommand
  let key: String
  let name = "--exec"

  /// - Parameter hidden: The variables that the command must not see.
  init(_ text: String, hiding hidden: Set<String>, in context: Context) {
    let environment = context.environment.filter { !hidden.contains($0.key) }
    command = ShellCommand(text, environment: environment)
    key = "exec \(text)"
  }

  func take(
    _ lines: [Substring], of batch: String, progress: @Sendable (Int) -> Void
  ) async -> String? {
    var bytes: [UInt8] = []
    for line in lines {
      bytes += line.utf8
      bytes.append(UInt8(ascii: "\n"))
    }
    return await command.run(reading: bytes)
  }

  func stop() { command.stop() }
}
