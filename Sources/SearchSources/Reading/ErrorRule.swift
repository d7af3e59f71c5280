internal import FoundationEssentials
internal import QueuedHTTP
internal import SearchModel
internal import TextFormats

/// The meaning of a response that a network documents: of a status, of a value in its body, or of the
/// text of its body.
package struct ErrorRule: Sendable {
  enum Meaning: String, CaseIterable, Sendable {
    /// There are no posts; on the first page only.
    case none
    /// The page lies beyond the last; on later pages only.
    case end
    case later
    case temporary
    case credential
    case error
    /// Posts are missing from the page.
    case partial
  }

  /// The statuses; nil for all.
  var statuses: [Int]?
  /// The value that tells: filled, one of `values`, or a text with `part` in it.
  var path: NodePath?
  /// Texts, numbers, `true` and `false`; one that ends in `*` stands for all that begin like it.
  var values: [String] = []
  var part: String?
  /// The beginning of the body, and what stands somewhere in it.
  var beginning: [UInt8]?
  var content: String?
  var meaning: Meaning
  /// The wait in seconds if the server does not name one; nil if nothing is known of it.
  var wait: Double?
  /// The moment when the wait is over, where the network documents one.
  var end: (@Sendable (Date) -> Date)?
  var note: String?

  /// Returns whether a response has this meaning.
  ///
  /// - Parameter root: The response, if it is JSON.
  func fits(_ response: HTTPResponse, to page: PageRequest, _ root: JSONNode?) -> Bool {
    if meaning == .none, page.cursor != nil { return false }
    if meaning == .end, page.cursor == nil { return false }
    return fits(response, root)
  }

  /// Returns whether a response has what the rule names.
  fileprivate func fits(_ response: HTTPResponse, _ root: JSONNode?) -> Bool {
    if let statuses, !statuses.contains(response.status) { return false }
    if let beginning, !response.body.withUnsafeBytes({ Self.begins($0, with: beginning) }) {
      return false
    }
    if let content, !Self.has(content, in: response.body) { return false }
    guard let path else { return true }
    guard let node = root.flatMap(path.node) else { return false }
    if let part { return node.string?.contains(part) == true }
    guard !values.isEmpty else { return node.isFilled }
    guard let value = node.identifier ?? node.bool.map({ "\($0)" }) else { return false }
    return values.contains { $0 == value || $0.hasSuffix("*") && value.hasPrefix($0.dropLast()) }
  }

  /// Returns whether a text stands in a body; only the beginning of a large one is looked at.
  private static func has(_ text: String, in body: HTTPBody) -> Bool {
    var text = text
    return body.withUnsafeBytes { bytes in
      text.withUTF8 { text in
        let bytes = unsafe UnsafeRawBufferPointer(rebasing: bytes.prefix(largestContent))
        return unsafe ByteSearch.first(text, in: bytes.assumingMemoryBound(to: UInt8.self), from: 0)
          != nil
      }
    }
  }

  private static let largestContent = 1 << 16

  /// The text that it found in a response.
  fileprivate func words(in root: JSONNode?) -> String? {
    path.flatMap { path in root.flatMap(path.node) }?.string
  }

  /// True if it can apply to a body that is not JSON.
  var isAboutText: Bool { path == nil }

  private static func begins(_ bytes: UnsafeRawBufferPointer, with text: [UInt8]) -> Bool {
    bytes.drop { $0 <= 0x20 }.starts(with: text)
  }

  /// Gives a response this meaning.
  func apply(to refusal: inout Refusal, of page: PageRequest) {
    switch meaning {
    case .none: refusal.meaning = .page(Page(notes: [note].compactMap(\.self)))
    case .end: refusal.meaning = .page(Page())
    case .later:
      refusal.meaning = .slowDown
      refusal.usualEnd = wait.map { page.answered.addingTimeInterval($0) }
      if let end { refusal.until = end(page.answered) }
    case .temporary: refusal.meaning = .temporary
    case .credential: refusal.meaning = .credential
    case .error, .partial: refusal.meaning = .permanent
    }
    if meaning != .none, let note { refusal.advice = note }
  }
}

extension [ErrorRule] {
  /// The first rule that fits a response with an error status.
  ///
  /// - Parameter root: The response, if it is JSON.
  func rule(for response: HTTPResponse, to page: PageRequest, _ root: JSONNode?) -> ErrorRule? {
    first { $0.fits(response, to: page, root) }
  }

  /// The page or fault that a rule gives a response with status 200; nil if none fits.
  ///
  /// - Parameter root: The response, if it is JSON.
  func result(
    of response: HTTPResponse, to page: PageRequest, _ root: JSONNode?, from traits: SourceTraits
  ) -> Result<Page, SourceFault>? {
    guard let rule = first(where: { $0.isFailure && $0.fits(response, to: page, root) })
    else { return nil }
    let error = root.map(ErrorBody.init(JSON:)) ?? ErrorBody(response)
    var refusal = Refusal(response, error, to: page, from: traits)
    rule.apply(to: &refusal, of: page)
    if case .permanent = refusal.meaning {
      let words = refusal.error.words ?? rule.words(in: root) ?? "no message"
      return .failure(.stated(words, in: response, to: page, advice: refusal.advice))
    }
    return refusal.result
  }
}

extension [ErrorRule] {
  /// The reason posts are missing from a page with status 200; nil if none are.
  ///
  /// - Parameter root: The response, if it is JSON.
  func gap(in response: HTTPResponse, to page: PageRequest, _ root: JSONNode?) -> String? {
    let rule = first { $0.meaning == .partial && $0.fits(response, to: page, root) }
    return rule.map { rule in
      rule.note ?? rule.words(in: root).map { OneLine.of($0, without: page.secrets) }
        ?? "the response says that posts are missing"
    }
  }

  /// A limit is stated in a few words; a longer answer is not read twice.
  private static var longestLimit: Int { 4096 }

  /// Reads a response with status 200 that asks to come again later, or states an error that passes; nil for any
  /// other, of which the rest is read with its posts.
  func refusal(
    in response: HTTPResponse, to page: PageRequest, from traits: SourceTraits
  ) -> Refusal? {
    guard response.body.count <= Self.longestLimit,
      contains(where: { $0.passes && $0.isFailure })
    else { return nil }
    var rule: ErrorRule?
    func find(_ root: JSONNode?) {
      rule = first { $0.isFailure && $0.fits(response, to: page, root) }
    }
    let error = ErrorBody(response, find)
    if rule == nil { find(nil) }
    guard let rule, rule.passes else { return nil }
    var refusal = Refusal(response, error, to: page, from: traits)
    rule.apply(to: &refusal, of: page)
    return refusal
  }
}

extension ErrorRule {
  /// True if it holds for every response of some status, which status 200 alone cannot be.
  fileprivate var isAboutAnything: Bool { path == nil && beginning == nil && content == nil }

  /// True if a response with status 200 that it fits has no posts to read.
  fileprivate var isFailure: Bool { !isAboutAnything && meaning != .partial }

  /// True if the same request may succeed later.
  fileprivate var passes: Bool { meaning == .later || meaning == .temporary }

  static let keys = ["status", "path", "is", "body", "contains", "means", "wait_seconds", "note"]

  init(_ entry: JSONEntry) throws(DocumentError) {
    let known = try entry.object(knowing: Self.keys)
    guard let means = known["means"] else {
      let names = Meaning.allCases.map(\.rawValue).joined(separator: ", ")
      throw entry.fault(expected: "one of \(names)", at: "means")
    }
    meaning = try means.choice()
    statuses = try known["status"]?.oneOrMore(expected: "a status").map {
      entry throws(DocumentError) in
      try entry.integer(in: 200...599, expected: "a status such as 404, or a list of these")
    }
    path = try known["path"].map(NodePath.init)
    if let values = known["is"] {
      guard path != nil else { throw values.fault(expected: "path, the value that is compared") }
      self.values = try values.oneOrMore(expected: Self.value).map(Self.value)
    }
    if let body = known["body"] {
      beginning = Array(try body.string(expected: "the beginning of the body").utf8)
    }
    content = try known["contains"]?.string(expected: "a part of the body")
    guard !isAboutAnything || statuses?.contains(200) == false else {
      throw entry.fault(expected: "a status other than 200, a path, a body or contains")
    }
    wait = (try known["wait_seconds"]?.integer(in: 1...86_400)).map(Double.init)
    note = try known["note"]?.string(expected: "a line")
  }

  private static let value = "a text, a number, true or false, or a list of these"

  private static func value(_ entry: JSONEntry) throws(DocumentError) -> String {
    switch entry.value {
    case .bool(let value): "\(value)"
    case .number(let spelling): spelling
    default: try entry.string(expected: value)
    }
  }
}
