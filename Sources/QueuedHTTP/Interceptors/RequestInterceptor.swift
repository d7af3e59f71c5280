/// Changes each attempt of a client's requests before it is sent, and decides whether a refused one is
/// sent again.
///
/// Both functions may wait: for a token, a signature or a person. They run in a task of their own, never
/// on the worker thread. Meanwhile the request keeps its slot, and only its `HTTPRequest.deadline` limits
/// the time. If it is canceled or its deadline passes, it ends at once, and the task is canceled.
///
/// Requests that the functions themselves send, with `HTTPClient.send` for example, wait for no slot, so
/// a token may come from the server that it is for. The same client does not intercept them again.
public protocol RequestInterceptor: Sendable {
  /// Returns the request to send in an attempt, for example with a signature or a token.
  ///
  /// Called for every attempt, including retries, but not for redirects: the fields of the request go
  /// along, except credentials to another origin. If the client has a cache, it is also called before
  /// the cache is asked, with 0 as the attempt's number. Of the result, the method, the URL, the fields
  /// and the body are used, and the names in `secretHeaders` are added to those of the request;
  /// everything else stays as it was submitted. An error ends the request with
  /// `HTTPError.Code.interceptor`.
  ///
  /// - Parameters:
  ///   - request: The request as it was submitted, without the changes for earlier attempts.
  ///   - attempt: The attempt that it is for.
  func adapt(
    _ request: HTTPRequest, for attempt: InterceptedAttempt
  ) async throws -> HTTPRequest

  /// Returns true if an attempt that failed is to be repeated at once, in the same slot.
  ///
  /// Called for responses with a status of 400 or more, before the request's judge, and for errors; not
  /// for a stream whose head was returned, and not after `ClientConfiguration.interceptorRepeats`
  /// repetitions. If it returns false, the usual rules for retries apply. The request's `RetryPolicy`
  /// does not limit repetitions, so do not repeat what a server may have processed. An error ends the
  /// request with `HTTPError.Code.interceptor`.
  ///
  /// - Parameters:
  ///   - request: The request as it was sent.
  ///   - result: The response, or the error of the attempt.
  ///   - attempt: The attempt that failed.
  func shouldRepeat(
    _ request: HTTPRequest, after result: Result<HTTPResponse, HTTPError>,
    of attempt: InterceptedAttempt
  ) async throws -> Bool
}

extension RequestInterceptor {
  /// Returns the request unchanged.
  public func adapt(
    _ request: HTTPRequest, for attempt: InterceptedAttempt
  ) async throws -> HTTPRequest { request }

  /// Returns false.
  public func shouldRepeat(
    _ request: HTTPRequest, after result: Result<HTTPResponse, HTTPError>,
    of attempt: InterceptedAttempt
  ) async throws -> Bool { false }
}

/// An attempt of a request as an interceptor sees it.
public struct InterceptedAttempt: Sendable, Hashable, Identifiable {
  /// The number of the request, unique within the client; the same as in `ObservedRequest`.
  public let id: UInt64
  /// The number of the attempt, from 1; 0 before the cache is asked.
  public let number: Int
  /// The number of attempts so far that the interceptor had repeated.
  public let repeats: Int
}

/// The clients whose interceptors the current task works for.
///
/// Their own requests must not wait for what these interceptors are about to provide.
enum Interception {
  @TaskLocal static var clients: Set<ObjectIdentifier> = []
}
