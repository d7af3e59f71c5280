internal import Application
internal import SafeFiles
internal import SearchModel
internal import SearchSources
internal import TagStorage
internal import TextFormats

/// The queries that the words of a command line name; `-` means those on standard input.
struct QueryWords {
  /// The most bytes that are read from standard input or a named file.
  private static let inputLimit = 64 << 20

  /// Returns the queries in their order; none when standard input holds none.
  static func queries(_ words: [String], in context: Context) throws -> [Query] {
    var queries: [Query] = []
    for word in PackedWords.unpacked(words) {
      if word == "-" {
        queries += try inputQueries(in: context)
      } else {
        queries.append(try query(word))
      }
    }
    return queries
  }

  /// The query that a word is.
  static func query(_ word: String) throws -> Query {
    guard let query = Query(word) else {
      throw CommandFailure(
        .usage,
        Query.trimmed(word).isEmpty
          ? "a query cannot be empty" : "a query cannot contain control characters")
    }
    return query
  }

  /// The bytes of a file that the command line names; `-` is standard input.
  static func contents(of path: String, in context: Context) throws -> [UInt8] {
    guard path != "-" else { return try context.input.readAll(limit: inputLimit) }
    return try naming(path) {
      try BoundedRead.bytes(
        of: context.absolutePath(path), limit: inputLimit, allowsStreams: true)
    }
  }

  private static func inputQueries(in context: Context) throws -> [Query] {
    let text = try contents(of: "-", in: context)
    return try naming("standard input", failingWith: .usage) {
      try TagImport.lines(of: text).queries
    }
  }
}

/// Many words of a command line as one, which no command line can hold itself.
///
/// The argument parser takes time by the square of the number of words: ten thousand queries would keep it
/// busy for half a minute.
enum PackedWords {
  /// Command lines with fewer words stay as they are.
  private static let fewest = 64
  /// The words at the start of a row that stay: names of commands, and the value of an option.
  private static let kept = 4
  private static let separator: Character = "\0"

  /// Returns a command line with each long row of words that are no options as one; only for commands
  /// whose queries `QueryWords` reads.
  static func packed(_ arguments: [String]) -> [String] {
    let commands = [["run"], ["watch"], ["tags", "add"], ["tags", "remove"]]
    guard arguments.count >= fewest, commands.contains(where: arguments.starts) else {
      return arguments
    }
    var packed: [String] = []
    var rest = arguments[...]
    while !rest.isEmpty {
      let row = rest.prefix { !$0.hasPrefix("-") }
      if row.count < fewest {
        packed += row
      } else {
        packed += row.prefix(kept)
        packed.append(
          String(separator) + row.dropFirst(kept).joined(separator: String(separator)))
      }
      rest = rest[row.endIndex...]
      packed += rest.prefix(1)
      rest = rest.dropFirst()
    }
    return packed
  }

  /// Returns the words that were there before.
  static func unpacked(_ words: [String]) -> [String] {
    words.flatMap { word in
      word.first == separator
        ? word.dropFirst().split(separator: separator, omittingEmptySubsequences: false)
          .map(String.init) : [word]
    }
  }
}

/// The sources that the options of a tag name.
struct SourceNames {
  /// Returns the sources that the values of `--source` name; without a value no configuration is looked at.
  static func parse(_ words: [String], in context: Context) throws -> [SourceName] {
    guard !words.isEmpty else { return [] }
    let configuration = try Configuration.personal(in: context)
    return try SettingText(
      text: words.joined(separator: ","), origin: .option("source"), context: context,
      knownSources: configuration.knownSources
    ).sources()
  }
}
