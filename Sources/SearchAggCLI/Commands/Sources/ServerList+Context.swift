internal import Application
internal import SearchModel
internal import SearchSources
internal import TextFormats

extension ServerList {
  init(of source: any Source, in context: Context) throws {
    self.init(of: source.name, in: try OwnConfiguration(in: context))
  }

  /// The network of a name, which may be that of a program whose servers have the network's API.
  static func source(named name: String, in context: Context) throws -> any Source {
    let catalogue = try Configuration(named: nil, isPersonal: true, in: context).catalogue
    if let source = catalogue.named(name) { return source }
    if let network = Sources.network(ofProgram: name) {
      return try source(named: network, in: context)
    }
    guard let entry = Catalog.entry(named: name) else {
      throw CommandFailure(
        .usage, Suggestion.refusal(of: name, as: "source", among: catalogue.everyName))
    }
    return try entry.source()
  }

  /// Addresses as they are stored; throws for a text that is not an address.
  static func checked(
    _ addresses: [String], of source: any Source
  ) throws -> [String] {
    try addresses.map { text in
      let address = String(text.trimmed)
      let isWhole = source.traits.takesWholeAddress
      guard let server = isWhole ? ServerAddress.whole(address) : ServerAddress(address) else {
        let example = isWhole ? "https://example.org/feed.xml" : "https://social.example"
        throw CommandFailure(
          .usage,
          "<url>: expected an address such as \(example), found '\(AddressText.censored(address))'"
        )
      }
      return isWhole ? address : server.text
    }
  }

  func warnOfVariable(in context: Context) {
    let variable = SourceDirectory.addressVariable(of: source)
    guard context.variable(variable) != nil else { return }
    context.report(
      "\(variable) is set and takes precedence over the stored "
        + (source == "feed" ? "feeds" : "servers"))
  }
}
