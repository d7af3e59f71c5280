internal import QueuedHTTP
internal import SearchModel
internal import TextFormats

/// Opens an answer that promises JSON.
enum Answer {
  /// Calls `visit` with the root of a body, whatever its status, and returns what it returns.
  static func read<Result>(
    _ response: HTTPResponse, to page: PageRequest,
    _ visit: (JSONNode) throws(SourceFault) -> Result
  ) throws(SourceFault) -> Result {
    do {
      return try response.body.withUnsafeBytes { bytes in
        try JSON.read(padded: bytes) { root in try visit(root) }
      }
    } catch let fault as SourceFault {
      throw fault
    } catch {
      guard JSON.endsEarly(response.body.withUnsafeBytes { Array($0) }) else {
        throw unreadable("JSON", response, to: page)
      }
      throw .failed(
        Failure(
          .temporary, status: response.status, message: "the answer ended early",
          advice: "try again later"))
    }
  }

  /// What a body says to one question, whatever its status; nil when it says nothing or is no JSON.
  static func value<Value>(
    in response: HTTPResponse, _ visit: (JSONNode) -> Value?
  ) -> Value? {
    do {
      return try response.body.withUnsafeBytes { bytes in try JSON.read(padded: bytes, visit) }
    } catch {
      return nil  // A page of a proxy says nothing.
    }
  }

  /// The answer is JSON, but not in the network's shape.
  static func misshapen(_ what: String, _ response: HTTPResponse) -> SourceFault {
    .failed(
      Failure(
        .permanent, status: response.status,
        message: OneLine.of("the answer has an unknown shape: \(what)"), advice: advice))
  }

  /// An error that came with the status of a success.
  static func error(
    _ said: ErrorBody, _ response: HTTPResponse, to page: PageRequest
  ) -> SourceFault {
    let words = said.words.map { ": \($0)" } ?? " with no message"
    let message = "the server returned an error\(words)"
    return .failed(
      Failure(
        .permanent, status: response.status, message: OneLine.of(message, without: page.secrets)))
  }

  /// The answer is not what was promised, such as JSON or a feed.
  static func unreadable(
    _ promised: String, _ response: HTTPResponse, to page: PageRequest
  ) -> SourceFault {
    // More than is shown, so that no part of a secret stands at the cut.
    let beginning = OneLine.of(
      String(response.body.text.prefix(4096)), limit: 60, without: page.secrets)
    let what =
      beginning.isEmpty ? "is empty" : "is not \(promised) (it begins with \"\(beginning)\")"
    return .failed(
      Failure(
        .permanent, status: response.status, message: OneLine.of("the answer \(what)"),
        advice: advice))
  }

  /// A wall before the server, or another server altogether.
  private static let advice = "check the server's address"
}
