/// The receivers of new posts.
package struct ReceiverSettings: Hashable, Sendable {
  /// The command that is run for each batch.
  package let command: String?
  /// The names of channels.
  package let channels: [String]
  /// True if they get the posts of a search's first run, too.
  let includesFirst: Bool

  package init(command: String?, channels: [String], includesFirst: Bool = false) {
    (self.command, self.channels, self.includesFirst) = (command, channels, includesFirst)
  }

  init(_ written: WrittenSettings) {
    self.init(
      command: written.command, channels: written.channels, includesFirst: written.notifiesFirst)
  }

  /// True if nobody receives anything.
  package var isEmpty: Bool { command == nil && channels.isEmpty }
}

/// The alerts that are raised for all tags.
package struct AlertSettings: Hashable, Sendable {
  /// The longest time that a tag is expected to go without a post, in seconds.
  let silence: Double?
  /// The factor above the usual number of posts; nil for no such alert.
  let factor: Double?

  init(_ written: WrittenSettings) {
    silence = written.expectWithin
    // The usual number of posts is only known if posts are kept.
    factor = written.keepsNoPosts ? nil : written.alertOver
  }
}
