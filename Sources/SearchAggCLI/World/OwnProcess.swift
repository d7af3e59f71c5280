internal import Application
internal import FoundationEssentials
internal import Glibc

/// The process of a command line, which ends with its command.
struct OwnProcess: ProcessHost {
  let environment: [String: String]

  var coreCount: Int { ProcessInfo.processInfo.activeProcessorCount }

  func makeRoom(forDescriptors count: Int) { ProcessSetup.raiseDescriptorLimit(to: count) }

  func setTimeZone(_ zone: String) { ProcessSetup.setTimeZone(zone) }

  func catchSignals(
    reload: (@Sendable () -> Void)?, _ handle: @escaping @Sendable (_ signal: Int32) -> Void
  ) {
    // A session that ends must not leave a command running that new posts are passed on to.
    let hangup = reload.flatMap { ProcessSetup.hasTerminal ? nil : SignalWatch.Hangup.reloads($0) }
    SignalWatch.start(hangup: hangup ?? .ends, handle)
  }

  func die(of signal: Int32) -> Never { SignalWatch.die(of: signal) }

  func closeOutput() { ProcessSetup.closeOutput() }

  func end(with status: CommandStatus) { exit(status.rawValue) }

  func page(_ text: [UInt8]) -> PagerEnding { Pager(environment)?.show(text) ?? .absent }
}
