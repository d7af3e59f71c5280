internal import SearchModel
internal import SearchSources
internal import TagStorage
internal import TextFormats

/// The queries that the words of a command line name; `-` means those on standard input.
struct QueryWords {
  /// The most bytes that are read from standard input.
  static let inputLimit = 64 << 20

  /// Returns the queries in their order; none when standard input holds none.
  static func queries(_ words: [String], in context: Context) throws(CommandFailure) -> [Query] {
    var queries: [Query] = []
    for word in words {
      if word == "-" {
        queries += try inputQueries(in: context)
      } else {
        queries.append(try query(word))
      }
    }
    return queries
  }

  /// The query that a word is.
  static func query(_ word: String) throws(CommandFailure) -> Query {
    guard let query = Query(word) else {
      throw CommandFailure(
        .usage,
        Query.trimmed(word).isEmpty
          ? "a query cannot be empty" : "a query cannot contain control characters")
    }
    return query
  }

  /// The bytes of standard input.
  static func input(in context: Context) throws(CommandFailure) -> [UInt8] {
    do throws(InputFailure) { return try context.input.readAll(limit: inputLimit) } catch {
      switch error {
      case .tooLarge:
        throw CommandFailure(
          .malformedInput, "standard input is larger than \(inputLimit >> 20) MiB")
      case .failed(let reason):
        throw CommandFailure(.unreadableInput, "cannot read standard input: \(reason)")
      }
    }
  }

  private static func inputQueries(in context: Context) throws(CommandFailure) -> [Query] {
    let text = try input(in: context)
    do throws(DocumentError) { return try TagImport.lines(of: text) } catch {
      throw CommandFailure(.usage, "standard input: \(error)")
    }
  }
}

/// The value of `--source`: names separated by commas, each of a built-in source or of one that the
/// user's configuration declares.
struct SourceNames {
  /// Returns the names that the words hold, each once; without a word no configuration is looked at.
  static func parse(
    _ words: [String], in context: Context
  ) throws(CommandFailure) -> [SourceName] {
    guard !words.isEmpty else { return [] }
    let configuration = try Configuration(named: nil, isPersonal: true, in: context)
    return try parse(words, known: configuration.catalogue.all.map(\.name.rawValue))
  }

  /// Returns the names that the words hold, each once.
  static func parse(
    _ words: [String], known: [String]
  ) throws(CommandFailure) -> [SourceName] {
    var names: [SourceName] = []
    for word in words.flatMap({ $0.split(separator: ",") }) {
      let name = SourceName(rawValue: word.filter { $0 != " " })
      guard known.contains(name.rawValue) else {
        throw CommandFailure(
          .usage, Suggestion.refusal(of: name.rawValue, as: "source", among: known))
      }
      if !names.contains(name) { names.append(name) }
    }
    return names
  }
}
