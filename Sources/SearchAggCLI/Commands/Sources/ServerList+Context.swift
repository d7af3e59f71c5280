internal import Application
internal import QueuedHTTP
internal import SearchModel
internal import SearchSources
internal import TextFormats

extension ServerList {
  /// - Parameter file: The configuration file that `--config` names; nil for the user's own.
  init(of source: any Source, named file: String? = nil, in context: Context) throws {
    self.init(of: source.name, in: try OwnConfiguration(named: file, in: context))
  }

  /// The network of a name, which may be that of a program whose servers have the network's API.
  ///
  /// - Parameter file: The configuration file that `--config` names; nil for the user's own.
  static func source(
    named name: String, file: String? = nil, in context: Context
  ) throws -> any Source {
    let knownSources = try Configuration(named: file, isPersonal: true, in: context).knownSources
    if let source = knownSources.named(name) { return source }
    if let network = Sources.network(ofProgram: name) {
      return try source(named: network, file: file, in: context)
    }
    guard let entry = Catalog.entry(named: name) else {
      if let several = knownSources.sources(named: name) {
        throw CommandFailure(
          .usage,
          "'\(name)' is a subject, which selects \(several.map(\.rawValue).inWords("and")); name one network"
        )
      }
      throw CommandFailure(
        .usage, Suggestion.refusal(of: name, as: "source", among: knownSources.everyName))
    }
    return try entry.source()
  }

  /// Addresses as they are stored; throws for a text that is not an address.
  static func checked(
    _ addresses: [String], of source: any Source
  ) throws -> [String] {
    try addresses.map { text in
      guard let address = checked(text, of: source) else {
        let isWhole = source.traits.takesWholeAddress
        let example = isWhole ? "https://example.org/feed.xml" : "https://social.example"
        throw CommandFailure(
          .usage,
          "<url>: expected an address such as \(example)\(AddressText.hint(for: text)), "
            + "found '\(AddressText.censored(text))'")
      }
      return address
    }
  }

  /// The subscriptions, with their addresses as they are stored, and the texts that are not addresses.
  static func readable(
    _ subscriptions: [Subscription], of source: any Source
  ) -> (feeds: [Subscription], unread: [String]) {
    var (feeds, unread) = ([Subscription](), [String]())
    for feed in subscriptions {
      if let address = checked(feed.address, of: source) {
        feeds.append(Subscription(address: address, title: feed.title, folder: feed.folder))
      } else {
        unread.append(feed.address)
      }
    }
    return (feeds, unread)
  }

  /// Returns the stored form of an address, and any other text unchanged.
  static func stored(_ text: String, of source: any Source) -> String {
    checked(text, of: source) ?? text
  }

  /// The address in the form in which it is stored; nil if the text is not an address.
  private static func checked(_ text: String, of source: any Source) -> String? {
    let address = text.trimmed
    guard source.traits.takesWholeAddress else { return ServerAddress(String(address))?.text }
    // Feed readers call themselves by such an address.
    let plain =
      address.hasPrefix("feed://")
      ? "http://" + address.dropFirst("feed://".count)
      : address.hasPrefix("feed:http") ? address.dropFirst("feed:".count) : address[...]
    let sent = withEncodedLetters(plain)
    return ServerAddress.whole(sent).map { _ in sent }
  }

  /// The address as it is sent: browsers show the letters of a path as they are.
  private static func withEncodedLetters(_ address: Substring) -> String {
    let path = address.firstRange(of: "://").flatMap { scheme in
      address[scheme.upperBound...].firstIndex(of: "/")
    }
    guard let path else { return String(address) }
    let letters = address[path...].unicodeScalars.map { letter in
      letter.isASCII ? String(letter) : PercentEncoding.encode(String(letter))
    }
    return address[..<path] + letters.joined()
  }

  func warnOfVariable(in context: Context) {
    let variable = SourceDirectory.addressVariable(of: source)
    guard context.variable(variable) != nil else { return }
    context.report(
      "\(variable) is set and takes precedence over the stored "
        + (source == "feed" ? "feeds" : "servers"))
  }
}
