internal import QueuedHTTP
internal import SearchModel

extension Delivery {
  /// The delivery that a run's settings ask for; nil for none.
  ///
  /// - Parameter backOff: The wait after the second failure of a batch.
  static func wanted(
    by preparation: RunPreparation, backOff: Duration, in context: Context
  ) throws(CommandFailure) -> Delivery? {
    let settings = preparation.settings
    let telling = settings.telling
    guard telling != TellingSettings(), let path = settings.history.path(in: context) else {
      return nil
    }
    var receivers: [any Receiver] = []
    if let command = telling.command {
      receivers.append(
        CommandReceiver(command, hiding: preparation.secretVariables, in: context))
    }
    if !telling.channels.isEmpty {
      let channels = Channels(preparation.reader)
      let client = Channels.client(settings, in: context)
      let secrets = try Secrets(in: context)
      for name in telling.channels {
        receivers.append(
          try ChannelReceiver(
            try channels.channel(named: name, from: telling.origin), secrets, over: client,
            in: context))
      }
    }
    return Delivery(to: receivers, backOff: backOff, state: path, in: context)
  }
}

/// The channels of the configuration files.
struct Channels: Sendable {
  private let all: [Channel]

  init(_ reader: SettingsReader) { all = reader.configuration.files.flatMap(\.channels) }

  /// The channel of a name, from the nearest file that has it.
  func channel(
    named name: String, from origin: SettingOrigin
  ) throws(CommandFailure) -> Channel {
    if let channel = all.first(where: { $0.name == name }) { return channel }
    guard !all.isEmpty else {
      throw origin.refusal(
        "there is no channel '\(name)'; declare it under \"channels\" in your configuration "
          + "(see: searchagg help notifications)")
    }
    throw origin.refusal(Suggestion.refusal(of: name, as: "channel", among: all.map(\.name)))
  }

  /// The credential variables of all channels.
  var credentialNames: [String] { all.flatMap(\.credentialNames) }

  /// The client that sends to channels, and keeps nothing.
  static func client(_ settings: RunSettings, in context: Context) -> HTTPClient {
    var configuration = settings.clientConfiguration(in: context)
    configuration.cache = nil
    return HTTPClient(configuration: configuration)
  }
}

extension RunPreparation {
  /// The variables that no command may see: those of credentials, and of a proxy with a password.
  fileprivate var secretVariables: Set<String> {
    credentialNames.union(Channels(reader).credentialNames).union([Setting.variable(of: "proxy")])
  }
}
