internal import Application
internal import SearchModel
internal import SharedHistory

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

  /// The variables with the password of a database that keeps the state or the tags.
  private static func databaseSecrets(
    _ settings: RunSettings, _ reader: SettingsReader, in context: Context
  ) -> [String] {
    let tags = Setting.named("tags-file").flatMap { reader.text(of: $0)?.text }
    let places = [settings.history.path(in: context.surroundings), tags].compactMap(\.self)
    guard places.contains(where: SharedAddress.isAddress) else { return [] }
    let addresses = ["state", "tags-file"].map(Setting.variable).filter { name in
      context.environment[name].flatMap { SharedAddress($0) }?.hasPassword == true
    }
    return addresses + ["PGPASSWORD", "PGSSLPASSWORD"]
  }

  /// The command and the channels that settings name.
  ///
  /// - Parameter names: The variables of credentials, which no command may see.
  static func receivers(
    _ wanted: ReceiverSettings, _ settings: RunSettings, _ reader: SettingsReader,
    hiding names: Set<String>, in context: Context
  ) throws -> [any Receiver] {
    let channels = reader.configuration.channels
    // A proxy's address may hold a password.
    let hidden = names.union(channels.credentialNames).union([Setting.variable(of: "proxy")])
      .union(databaseSecrets(settings, reader, in: context))
    var receivers: [any Receiver] = []
    if let command = wanted.command {
      let environment = context.environment.filter { !hidden.contains($0.key) }
      receivers.append(CommandReceiver(command, environment: environment))
    }
    if !wanted.channels.isEmpty {
      let client = settings.channelClient(in: context.surroundings)
      let secrets = try Secrets(in: context)
      let origin = Setting.named("notify").flatMap { reader.text(of: $0)?.origin } ?? .default
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
