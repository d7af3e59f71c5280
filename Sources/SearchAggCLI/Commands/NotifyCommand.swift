internal import Application
internal import ArgumentParser
internal import QueuedHTTP

/// `searchagg notify`: the channels that `--notify` sends to.
struct NotifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "notify",
    abstract: "Test the channels that receive new posts.",
    discussion: """
      EXAMPLES:
        searchagg notify test team
        searchagg watch --notify team

      Channels are declared in your own configuration: see `searchagg help notifications`.
      """,
    subcommands: [NotifyTest.self])
}

/// `searchagg notify test NAME`.
struct NotifyTest: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "test", abstract: "Send one message to a channel.")

  @Argument(help: ArgumentHelp("The name of the channel.", valueName: "name"))
  var name: String

  @OptionGroup var config: SettingOptions<ConfigOption>

  func run(in context: Context) async throws -> CommandStatus {
    let configuration = try Configuration(named: config.texts["config"], in: context)
    let reader = SettingsReader(
      context: context, configuration: configuration, options: config.texts)
    let settings = try RunSettings(from: reader, for: .ask)
    let channel = try configuration.channels.channel(named: name) { CommandFailure(.usage, $0) }
    let client = settings.channelClient(in: context.surroundings)
    let receiver = try ChannelReceiver(
      channel, credentials: try Secrets(in: context).values(of: channel.credentialNames),
      over: client, in: context.surroundings)
    let failure = await receiver.test(at: context.now())
    await client.shutdown()
    if let failure {
      throw CommandFailure(
        failure.isTemporary ? .tryLater : .unavailable, "\(receiver.name): \(failure.reason)")
    }
    context.report("\(receiver.name): the message was accepted")
    return .success
  }
}
