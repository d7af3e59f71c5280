internal import TextFormats

/// The parameters of a recent search, checked as X checks them.
struct XSearch: Sendable {
  let terms: QueryTerms
  var vocabulary = XVocabulary.tweet
  var fields: Set<String> = []
  var expansions: Set<String> = []
  var userFields: Set<String> = []
  var mediaFields: Set<String> = []
  var limit = 10
  var offset = 0
  /// The time range of the results, in milliseconds since 1970.
  var moments: Range<Int>
  var sinceID: UInt64 = 0
  var untilID: UInt64 = .max
  var isByRelevancy = false
  private let query: String

  private static let names = [
    "query", "start_time", "end_time", "since_id", "until_id", "max_results", "next_token",
    "pagination_token", "sort_order", "tweet.fields", "post.fields", "expansions", "media.fields",
    "poll.fields", "user.fields", "place.fields",
  ]
  private static let week = 7 * 86_400_000

  init(_ parameters: Parameters, now: Int) throws(XProblem) {
    for (name, value) in parameters.pairs where !Self.names.contains(name) {
      throw .invalid(
        name, [value],
        "The query parameter [\(name)] is not one of [\(Self.names.joined(separator: ","))]")
    }
    query = try Self.checkedQuery(parameters["query"])
    terms = QueryTerms(query)
    moments = now - Self.week..<now - 30_000
    try readFields(parameters)
    try readTimes(parameters, now: now)
    try readIDs(parameters, now: now)
    if let text = parameters["max_results"] {
      guard let number = Int(text), (10...100).contains(number) else {
        throw .invalid(
          "max_results", [text],
          "The `max_results` query parameter value [\(text)] is not between 10 and 100")
      }
      limit = number
    }
    if let order = parameters["sort_order"] {
      guard ["recency", "relevancy"].contains(order) else {
        throw .invalid(
          "sort_order", [order],
          "The `sort_order` query parameter value [\(order)] is not one of [recency,relevancy]")
      }
      isByRelevancy = order == "relevancy"
    }
    if let token = parameters["next_token"] ?? parameters["pagination_token"] {
      guard let offset = offset(of: token) else {
        throw .invalid("next_token", [token], "Invalid 'next_token':'\(token)'")
      }
      self.offset = offset
    }
  }

  private static func checkedQuery(_ query: String?) throws(XProblem) -> String {
    guard let query, !query.isEmpty else {
      throw .invalid(
        "query", query.map { [$0] } ?? [], "The `query` query parameter can not be empty")
    }
    guard query.unicodeScalars.count <= 512 else {
      throw .invalid(
        "query", [query], "The length of the query must be less than or equal to 512 characters")
    }
    // Quoted text is never an operator.
    let parts = query.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
    let tokens = parts.filter { $0.offset.isMultiple(of: 2) }
      .flatMap { $0.element.split(separator: " ") }
    for name in ["min_faves", "min_retweets"]
    where tokens.contains(where: { $0.hasPrefix(name + ":") }) {
      throw .invalid(
        "query", [query],
        """
        Reference to invalid operator '\(name)'. Operator is not available in current product or \
        product packaging.
        """
      )
    }
    guard !tokens.contains(where: { $0.hasPrefix("-(") }) else {
      throw .invalid("query", [query], "Negation of a group is not supported")
    }
    if tokens.contains("and") {
      throw .invalid(
        "query", [query],
        """
        Ambiguous use of and as a keyword. Use a space to logically join two clauses, or "and" to \
        find occurrences of and in text
        """
      )
    }
    let terms = QueryTerms(query)
    for name in terms.operators where name.name == "from" || name.name == "to" {
      guard (1...20).contains(name.value.utf8.count),
        name.value.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) || $0 == "_" })
      else {
        throw .invalid("query", [query], "Invalid username value '\(name.value)'")
      }
    }
    for name in terms.operators where name.name == "lang" {
      guard XVocabulary.languages.contains(name.value) else {
        let codes = XVocabulary.languages.joined(separator: ", ")
        throw .invalid(
          "query", [query],
          """
          Invalid language specifier '\(name.value)'. Language specifier must be one of [\(codes)]
          """
        )
      }
    }
    guard
      terms.hasWords
        || terms.operators.contains(where: {
          !$0.isNegated && $0.name != "is"
            && $0.name != "has" && $0.name != "lang"
        })
    else {
      throw .invalid(
        "query", [query], "Rule must contain at least one positive, non-stopword clause")
    }
    return query
  }

  private mutating func readFields(_ parameters: Parameters) throws(XProblem) {
    let expansionsAsked = parameters["expansions"] ?? ""
    if parameters["post.fields"] != nil || expansionsAsked.contains("referenced_posts")
      || expansionsAsked.contains(XVocabulary.post.editHistory)
    {
      vocabulary = .post
    }
    fields = try Self.list("tweet.fields", XVocabulary.tweet.fieldNames, in: parameters)
    fields.formUnion(try Self.list("post.fields", XVocabulary.post.fieldNames, in: parameters))
    expansions = try Self.list(
      "expansions", XVocabulary.tweet.expansionNames + XVocabulary.post.expansionNames,
      in: parameters)
    userFields = try Self.list("user.fields", XVocabulary.userFieldNames, in: parameters)
    mediaFields = try Self.list("media.fields", XVocabulary.mediaFieldNames, in: parameters)
  }

  private static func list(
    _ name: String, _ allowed: [String], in parameters: Parameters
  ) throws(XProblem) -> Set<String> {
    guard let text = parameters[name] else { return [] }
    let values = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    for value in values where !allowed.contains(value) {
      throw .invalid(
        name, [text],
        """
        The `\(name)` query parameter value [\(value)] is not one of \
        [\(allowed.joined(separator: ","))]
        """
      )
    }
    return Set(values)
  }

  private mutating func readTimes(_ parameters: Parameters, now: Int) throws(XProblem) {
    let start = try Self.time("start_time", in: parameters)
    let end = try Self.time("end_time", in: parameters)
    if let start, start < moments.lowerBound {
      throw .invalid(
        "start_time", [parameters["start_time"] ?? ""],
        """
        Invalid 'start_time':'\(DateForms.minutes(start))'. 'start_time' must be on or after \
        \(DateForms.minutes(moments.lowerBound))
        """
      )
    }
    if let end, end > now - 10_000 {
      throw .invalid(
        "end_time", [parameters["end_time"] ?? ""],
        """
        Invalid 'end_time':'\(DateForms.minutes(end))'. 'end_time' must be a minimum of 10 seconds \
        prior to the request time.
        """
      )
    }
    let lower = start ?? moments.lowerBound
    let upper = end ?? moments.upperBound
    guard lower < upper else {
      throw .invalid(
        "end_time", [parameters["end_time"] ?? parameters["start_time"] ?? ""],
        "Invalid 'end_time':'\(DateForms.minutes(upper))'. 'end_time' must be after 'start_time'")
    }
    moments = lower..<upper
  }

  private static func time(_ name: String, in parameters: Parameters) throws(XProblem) -> Int? {
    guard let text = parameters[name] else { return nil }
    guard let moment = DateReading.rfc3339(text, onlyUTC: true) else {
      throw .invalid(
        name, [text],
        """
        The `\(name)` query parameter value [\(text)] is not a valid date and time in the form \
        YYYY-MM-DDTHH:mm:ssZ
        """
      )
    }
    return moment
  }

  private mutating func readIDs(_ parameters: Parameters, now: Int) throws(XProblem) {
    for name in ["since_id", "until_id"] {
      guard let text = parameters[name] else { continue }
      guard text.utf8.count <= 19, let id = UInt64(text) else {
        throw .invalid(
          name, [text],
          "The `\(name)` query parameter value [\(text)] does not match ^[0-9]{1,19}$")
      }
      let oldest = now - Self.week
      if name == "since_id", TwitterText.moment(of: id) < oldest {
        let least = TwitterText.snowflake(oldest, 0)
        throw .invalid(
          name, [text],
          """
          'since_id' must be a tweet id created after \(DateForms.minutes(oldest)). Please use a \
          'since_id' that is larger than \(least)
          """
        )
      }
      if name == "since_id" { sinceID = id } else { untilID = id }
    }
  }

  /// Returns the token of the page that begins at `offset`.
  func token(for offset: Int) -> String {
    let place = "\(offset)"
    let seal = StableHash.of("next_token", query, "\(moments)", "\(sinceID) \(untilID)", place)
    return Self.tokenStart + Alphabet.hexadecimal.spell(UInt64(offset), digits: 4)
      + Alphabet.hexadecimal.spell(seal, digits: 12)
  }

  private static let tokenStart = "b26v89c19zqg8"

  /// Returns where the page of a token begins; nil when it was not given out for this search.
  private func offset(of token: String) -> Int? {
    let digits = token.dropFirst(Self.tokenStart.count).prefix(4)
    guard let offset = Int(digits, radix: 16), self.token(for: offset) == token else { return nil }
    return offset
  }
}
