/// The channels of the configuration files.
package struct Channels: Sendable {
  package let all: [Channel]

  package init(_ all: [Channel]) { self.all = all }

  /// The channel of a name, from the nearest file that has it.
  ///
  /// - Parameter refusal: Returns the error for a reason why there is none.
  package func channel(
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
  package var credentialNames: [String] { all.flatMap(\.credentialNames) }
}
