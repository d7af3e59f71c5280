/// The command of `--exec`.
package struct CommandReceiver: Delivery.Receiver {
  let command: ShellCommand
  package let key: String
  package let name = "--exec"

  /// - Parameter environment: The variables that the command sees.
  package init(_ text: String, environment: [String: String]) {
    command = ShellCommand(text, environment: environment)
    key = "exec \(text)"
  }

  package func take(
    _ lines: [Substring], of batch: String, progress: @Sendable (Int) -> Void,
    refuse: @Sendable (Int, _ reason: String) -> Delivery.Failure?
  ) async -> Delivery.Failure? {
    var bytes: [UInt8] = []
    for line in lines {
      bytes += line.utf8
      bytes.append(UInt8(ascii: "\n"))
    }
    return await command.run(reading: bytes).map { Delivery.Failure($0) }
  }

  package func stop() { command.stop() }
}
