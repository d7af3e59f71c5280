internal import Application
internal import QueuedHTTP
internal import SearchModel

extension Delivery {
  /// The delivery that a run's settings ask for; nil for none.
  ///
  /// - Parameter backOff: The wait after the second failure of a batch.
  static func wanted(
    by preparation: RunPreparation, backOff: Duration, in context: Context
  ) throws -> Delivery? {
    let settings = preparation.settings
    guard !settings.receivers.isEmpty, settings.history.path(in: context.surroundings) != nil
    else {
      return nil
    }
    let receivers = try receivers(
      settings.receivers, settings, preparation.reader, hiding: preparation.credentialNames,
      in: context)
    return Delivery(to: receivers, backOff: backOff, in: context.surroundings)
  }

  /// The command and the channels that settings name.
  ///
  /// - Parameter names: The variables of credentials, which no command may see.
  static func receivers(
    _ wanted: ReceiverSettings, _ settings: RunSettings, _ reader: SettingsReader,
    hiding names: Set<String>, in context: Context
  ) throws -> [any Receiver] {
    let channels = Channels(reader)
    // A proxy's address may hold a password.
    let hidden = names.union(channels.credentialNames).union([Setting.variable(of: "proxy")])
    var receivers: [any Receiver] = []
    if let command = wanted.command {
      let environment = context.environment.filter { !hidden.contains($0.key) }
      receivers.append(CommandReceiver(command, environment: environment))
    }
    if !wanted.channels.isEmpty {
      let client = Channels.client(settings, in: context)
      let secrets = try Secrets(in: context)
      let origin = Setting.named("notify").flatMap { reader.text(of: $0)?.origin } ?? .standard
      for name in wanted.channels {
        let channel = try channels.channel(named: name, refusal: origin.refusal)
        receivers.append(
          try ChannelReceiver(
            channel, credentials: secrets.values(of: channel.credentialNames), over: client,
            in: context.surroundings))
      }
    }
    return receivers
  }
}

/// The channels of the configuration files.
struct Channels: Sendable {
  private let all: [Channel]

  init(_ reader: SettingsReader) { all = reader.configuration.files.flatMap(\.channels) }

  /// The channel of a name, from the nearest file that has it.
  ///
  /// - Parameter refusal: Returns the error for a reason why there is none.
  func channel(
    named name: String, refusal: (_ reason: String) -> CommandFailure
  ) throws -> Channel {
    if let channel = all.first(where: { $0.name == name }) { return channel }
    guard !all.isEmpty else {
      throw refusal(
        "there is no channel '\(name)'; declare it under \"channels\" in your configuration "
          + "(see: searchagg help notifications)")
    }
    throw refusal(Suggestion.refusal(of: name, as: "channel", among: all.map(\.name)))
  }

  /// The credential variables of all channels.
  var credentialNames: [String] { all.flatMap(\.credentialNames) }

  /// The client that sends to channels, and keeps nothing.
  static func client(_ settings: RunSettings, in context: Context) -> HTTPClient {
    var configuration = settings.clientConfiguration(in: context.surroundings)
    configuration.cache = nil
    return HTTPClient(configuration: configuration)
  }
}
