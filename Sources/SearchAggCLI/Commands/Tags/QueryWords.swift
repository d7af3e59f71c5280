internal import SearchModel
internal import TagStorage

/// The queries that words of a command line name; `-` stands for those on standard input.
struct QueryWords {
  /// What may come on standard input.
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
          ? "a query must not be empty" : "a query must not hold control characters")
    }
    return query
  }

  /// The bytes of standard input.
  static func input(in context: Context) throws(CommandFailure) -> [UInt8] {
    do throws(InputFailure) { return try context.input.readAll(limit: inputLimit) } catch {
      switch error {
      case .tooLarge:
        throw CommandFailure(
          .malformedInput, "standard input: is larger than \(inputLimit >> 20) MiB")
      case .failed(let reason):
        throw CommandFailure(.unreadableInput, "standard input: cannot be read: \(reason)")
      }
    }
  }

  private static func inputQueries(in context: Context) throws(CommandFailure) -> [Query] {
    let text = try input(in: context)
    do throws(MalformedTags) { return try TagImport.lines(of: text) } catch {
      throw CommandFailure(.usage, "standard input: \(error)")
    }
  }
}
