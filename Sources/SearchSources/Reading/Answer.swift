package import QueuedHTTP
internal import SearchModel
package import TextFormats

/// A JSON response, opened, with the page that it answers; valid only while its body is being read.
package struct Answer {
  package let root: JSONNode
  package let response: HTTPResponse
  package let page: PageRequest

  /// The value of a member of the root; nil if it is absent or null.
  package subscript(key: StaticString) -> JSONNode? { root[key] }

  /// Opens a response, and returns what `visit` makes of it.
  static func read<Result>(
    _ response: HTTPResponse, to page: PageRequest,
    _ visit: (Answer) throws(SourceFault) -> Result
  ) throws(SourceFault) -> Result {
    guard !AnswerSize.isExcessive(response.body) else {
      throw .failed(
        Failure(
          .permanent, status: response.status, message: "the response has too many values",
          advice: advice))
    }
    do {
      return try response.body.withUnsafeBytes { bytes in
        try JSON.read(padded: bytes) { root in
          try visit(Answer(root: root, response: response, page: page))
        }
      }
    } catch let fault as SourceFault {
      throw fault
    } catch {
      throw unreadable("JSON", response, to: page)
    }
  }

  /// Returns what a JSON body says to one question, whatever its status; nil for any other body.
  static func value<Value>(
    in response: HTTPResponse, _ visit: (JSONNode) -> Value?
  ) -> Value? {
    guard !AnswerSize.isExcessive(response.body) else { return nil }
    do {
      return try response.body.withUnsafeBytes { bytes in try JSON.read(padded: bytes, visit) }
    } catch {
      return nil  // A proxy's page.
    }
  }

  /// Returns the list of items under the first of some keys that is there, or the root if no key is
  /// given.
  ///
  /// Throws the error that the response contains instead, or else that its shape is unknown.
  func list(_ keys: StaticString..., of items: String) throws(SourceFault) -> JSONNode {
    let list = keys.isEmpty ? root : keys.lazy.compactMap { root[$0] }.first
    guard let list, list.kind == .array else { throw fault(missing: "no list of \(items)") }
    return list
  }

  /// The fault that a response with status 200 and without what was expected means.
  func fault(missing: String) -> SourceFault {
    let error = ErrorBody(JSON: root)
    guard root["error"] != nil || root["errors"] != nil || error.words != nil else {
      return .failed(
        Failure(
          .permanent, status: response.status,
          message: OneLine.of("unexpected response: \(missing)"), advice: Self.advice))
    }
    return .stated(error.words, in: response, to: page)
  }

  /// True if the response contains an error, under one of the names that networks give it.
  private var statesError: Bool {
    ["error", "errors", "error_id"].contains { root[$0]?.isFilled == true }
  }

  /// Returns a page that was read from the response, unless it is empty and the response contains an
  /// error: that is no search without results.
  ///
  /// - Parameter mayHaveErrors: Whether the network documents errors beside posts, which then mean
  ///   something else than missing posts.
  func checked(_ page: Page, mayHaveErrors: Bool = false) throws(SourceFault) -> Page {
    guard root.kind == .object, !page.isRedirect, statesError else { return page }
    guard page.items > 0 else { throw fault(missing: "no posts") }
    guard !mayHaveErrors, page.gap == nil else { return page }
    var page = page
    let words = ErrorBody(JSON: root).words.map { ": \($0)" } ?? " with no message"
    page.gap = OneLine.of("the server reported an error\(words)", without: self.page.secrets)
    return page
  }

  /// Returns whether a body is JSON that was cut off, as far as its last byte shows.
  ///
  /// Without a stated length the client takes whatever arrived before the connection ended. Every response is checked,
  /// so only one that does not end with the bracket that it begins with is read.
  static func isCutOff(_ body: HTTPBody) -> Bool {
    let isUnclosed = body.withUnsafeBytes { bytes in
      guard let last = bytes.last(where: { $0 > 0x20 }) else { return false }
      return switch bytes.first(where: { $0 > 0x20 }) {
      case UInt8(ascii: "{"): last != UInt8(ascii: "}")
      case UInt8(ascii: "["): last != UInt8(ascii: "]")
      default: false
      }
    }
    return isUnclosed && !AnswerSize.isExcessive(body) && endsEarly(body)
  }

  private static func endsEarly(_ body: HTTPBody) -> Bool {
    JSON.endsEarly(body.withUnsafeBytes { Array($0) })
  }

  /// The fault that a response means which was cut off, or is in another format.
  static func unreadable(
    _ expected: String, _ response: HTTPResponse, to page: PageRequest
  ) -> SourceFault {
    guard !endsEarly(response.body) else {
      return .failed(
        Failure(
          .temporary, status: response.status, message: "the response was cut off",
          advice: "try again later"))
    }
    // Longer than what is shown, so that no part of a secret remains at the cut.
    let beginning = OneLine.of(
      String(response.body.text.prefix(4096)), limit: 60, without: page.secrets)
    let what =
      beginning.isEmpty ? "is empty" : "is not \(expected) (it begins with \"\(beginning)\")"
    return .failed(
      Failure(
        .permanent, status: response.status, message: OneLine.of("the response \(what)"),
        advice: advice))
  }

  /// Such responses come from a login wall, or from another server altogether.
  private static let advice = "check the server's address"
}

extension SourceFault {
  /// The fault that an error in a response with status 200 means.
  static func stated(
    _ words: String?, in response: HTTPResponse, to page: PageRequest,
    kind: Failure.Kind = .permanent, advice: String? = nil
  ) -> SourceFault {
    let what = words.map { ": \($0)" } ?? " with no message"
    return .failed(
      Failure(
        kind, status: response.status,
        message: OneLine.of("the server returned an error\(what)", without: page.secrets),
        advice: advice))
  }
}
