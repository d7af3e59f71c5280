internal import FoundationEssentials
internal import QueuedHTTP
internal import SearchModel
internal import TextFormats

/// The meaning of a response that a network documents: of a status, of a value in its body, or of the
/// beginning of its body.
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
  }

  /// The statuses; nil for all.
  var statuses: [Int]?
  /// The value that tells: filled, one of `values`, or a text with `part` in it.
  var path: NodePath?
  var values: [String] = []
  var part: String?
  /// The beginning of the body.
  var beginning: [UInt8]?
  var meaning: Meaning
  /// The wait in seconds if the server does not name one; nil if nothing is known of it.
  var wait: Double? = 60
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
    guard let path else { return true }
    guard let node = root.flatMap(path.node) else { return false }
    if let part { return node.string?.contains(part) == true }
    return values.isEmpty ? node.isFilled : node.identifier.map(values.contains) ?? false
  }

  /// Whether it can say something about a body that is not JSON.
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
    case .error: refusal.meaning = .permanent
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
    guard let rule = first(where: { $0.fits(response, to: page, root) && !$0.isAboutAnything })
    else { return nil }
    let error = root.map(ErrorBody.init(JSON:)) ?? ErrorBody(response)
    var refusal = Refusal(response, error, to: page, from: traits)
    rule.apply(to: &refusal, of: page)
    if case .permanent = refusal.meaning {
      let words = refusal.error.words ?? "no message"
      return .failure(.stated(words, in: response, to: page, advice: refusal.advice))
    }
    return refusal.result
  }
}

extension [ErrorRule] {
  /// A limit is stated in a few words; a longer answer is not read twice.
  private static var longestLimit: Int { 4096 }

  /// Returns the end of the pause that a response with status 200 asks for; nil if it asks for none.
  func pauseEnd(after response: HTTPResponse, now: Date) -> Date? {
    guard response.status == 200, response.body.count <= Self.longestLimit else { return nil }
    let limits = filter { $0.meaning == .later && !$0.isAboutAnything }
    guard !limits.isEmpty else { return nil }
    let rule =
      Answer.value(in: response) { root in limits.first { $0.fits(response, root) } }
      ?? limits.first { $0.isAboutText && $0.fits(response, nil) }
    return rule.flatMap { rule in rule.wait.map { now.addingTimeInterval($0) } }
  }
}

extension ErrorRule {
  /// True if it holds for every response of some status, which status 200 alone cannot be.
  fileprivate var isAboutAnything: Bool { path == nil && beginning == nil }

  static let keys = ["status", "path", "is", "body", "means", "wait_seconds", "note"]

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
      self.values = try values.oneOrMore(expected: "a text, or a list").map {
        entry throws(DocumentError) in try entry.string(expected: "a text, or a list")
      }
    }
    if let body = known["body"] {
      beginning = Array(try body.string(expected: "the beginning of the body").utf8)
    }
    guard path != nil || beginning != nil || statuses?.contains(200) == false else {
      throw entry.fault(expected: "a status other than 200, a path or a body")
    }
    wait = Double(try known["wait_seconds"]?.integer(in: 1...86_400) ?? 60)
    note = try known["note"]?.string(expected: "a line")
  }
}
