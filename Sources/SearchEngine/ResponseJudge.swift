internal import FoundationEssentials
internal import QueuedHTTP
internal import SearchSources
internal import Synchronization

/// A response with what its source makes of it.
struct JudgedResponse: Sendable {
  let response: HTTPResponse
  /// The page that it answers, with the moment of its arrival.
  let page: PageRequest
  let judgement: Judgement
}

/// Judges the responses to one request, each once: first for the client, then for its readers.
final class ResponseJudge: Sendable {
  private let source: any Source
  /// The page that the request is for.
  let page: PageRequest
  private let request: HTTPRequest
  private let last = Mutex<JudgedResponse?>(nil)

  init(_ source: any Source, _ page: PageRequest, of request: HTTPRequest) {
    self.source = source
    self.page = page
    self.request = request
  }

  /// Returns the judgement on a response that arrived at a moment.
  func judged(_ response: HTTPResponse, at moment: Date) -> JudgedResponse {
    if let known = judged(response), known.page.answered == moment { return known }
    var page = page
    page.answered = moment
    let judged = JudgedResponse(
      response: response, page: page, judgement: judgement(on: response, to: page))
    last.withLock { $0 = judged }
    return judged
  }

  /// Returns the source's judgement, unless a redirect has left the credential behind: the server may then have called
  /// it rejected, or shown less than there is.
  private func judgement(on response: HTTPResponse, to page: PageRequest) -> Judgement {
    let judgement = source.judgement(on: response, to: page)
    guard !judgement.isTemporary, request.leavesCredentialsBehind(before: response) else {
      return judgement
    }
    return .refusal(Refusal(response, withoutCredentialOf: page, from: source.traits))
  }

  /// Returns the last judgement if it was on this response.
  ///
  /// A response from the cache has not been judged before.
  func judged(_ response: HTTPResponse) -> JudgedResponse? {
    last.withLock { $0 }.flatMap { $0.response.body === response.body ? $0 : nil }
  }
}
