internal import Application
internal import ArgumentParser
internal import FoundationEssentials
internal import QueuedHTTP
internal import TextFormats

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
    let client = Channels.client(settings, in: context)
    let channel = try Channels(reader).channel(named: name) { CommandFailure(.usage, $0) }
    let receiver = try ChannelReceiver(
      channel, credentials: try Secrets(in: context).values(of: channel.credentialNames),
      over: client, in: context.surroundings)
    let post = JSONValue.members([
      "id": .string("test"), "source": .string("searchagg"),
      "text": .string("This is a test message of searchagg."),
      "created_at": .string(RFC3339.format(context.now())),
    ])
    let line = String(decoding: post.bytes, as: UTF8.self)
    let token = String(UInt64.random(in: 0 ... .max), radix: 16)
    let reason = await receiver.take([line[...]], of: token) { _ in }
    await client.shutdown()
    if let reason { throw CommandFailure(.unavailable, "\(receiver.name): \(reason)") }
    context.report("\(receiver.name): the message was accepted")
    return .success
  }
}
