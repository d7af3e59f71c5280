internal import SearchModel
internal import SearchSources

extension PostFilter {
  /// The filter that flags, variables or configuration ask for.
  init(_ options: RunOptions, from reader: SettingsReader) throws(CommandFailure) {
    let flag = options.exclude.isEmpty ? nil : options.exclude.joined(separator: ",")
    let catalogue = reader.configuration.catalogue
    let exclusions = try reader.value(
      "exclude", flag: flag,
      expected: "words, @author, author:NAME or source:NAME, separated by commas; "
        + "the sources are \(catalogue.names)"
    ) { text in
      Self.exclusions(text, in: catalogue)
    }
    let languages = try reader.value(
      "lang", flag: options.lang, expected: "languages such as en,de", parse: Self.languages)
    self.init(
      exclusions: exclusions ?? ExclusionList(),
      leavesOutReposts: try reader.isOn("no-reposts", flag: options.noReposts),
      leavesOutReplies: try reader.isOn("no-replies", flag: options.noReplies),
      languages: languages ?? [],
      fewestLikes: try reader.number("min-likes", flag: options.minLikes, in: 0...1_000_000_000))
  }

  private static func exclusions(_ text: String, in catalogue: SourceCatalogue) -> ExclusionList? {
    guard let list = ExclusionList(text),
      list.sources.allSatisfy({ catalogue.named($0) != nil })
    else { return nil }
    return list
  }

  private static func languages(_ text: String) -> Set<String>? {
    var languages: Set<String> = []
    for part in text.split(separator: ",") {
      guard let language = LanguageTag.primary(typed: part.trimmingBlanks) else { return nil }
      languages.insert(language)
    }
    return languages.isEmpty ? nil : languages
  }
}
