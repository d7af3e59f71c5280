#if Logging
  public import Logging

  /// An observer that writes to a swift-log `Logger` (trait `Logging`).
  ///
  /// Results are logged at the chosen level, errors and cool-downs as warnings, everything else at `trace`.
  /// URLs are logged without user, password, query and fragment; fields and bodies are not logged.
  public struct LoggingObserver: RequestObserver {
    private let logger: Logger
    private let level: Logger.Level

    /// Creates an observer.
    ///
    /// - Parameters:
    ///   - logger: The logger to write to.
    ///   - level: The level of responses.
    public init(_ logger: Logger, level: Logger.Level = .debug) {
      self.logger = logger
      self.level = level
    }

    /// Logs that a request was submitted.
    public func queued(_ request: ObservedRequest) {
      logger.trace("request queued", metadata: metadata(request))
    }

    /// Logs that an attempt began.
    public func started(_ request: ObservedRequest, attempt: Int) {
      logger.trace(
        "request started", metadata: metadata(request, ["attempt": "\(attempt)"]))
    }

    /// Logs the connection of an attempt.
    public func connected(_ request: ObservedRequest, to remoteAddress: String, isReused: Bool) {
      logger.trace(
        "request connected",
        metadata: metadata(
          request, ["remote-address": "\(remoteAddress)", "reused": "\(isReused)"]))
    }

    /// Logs a retry with its reason.
    public func retried(
      _ request: ObservedRequest, after wait: Duration,
      because result: Result<HTTPResponse, HTTPError>
    ) {
      logger.log(
        level: level, "request retried",
        metadata: metadata(request, ["wait": "\(wait)", "reason": "\(Self.words(result))"]))
    }

    /// Logs a cool-down as a warning.
    public func cooledDown(_ lane: Lane, for wait: Duration) {
      logger.warning(
        "lane cooled down", metadata: ["lane": "\(lane.rawValue)", "wait": "\(wait)"])
    }

    /// Logs the result of a request.
    public func finished(
      _ request: ObservedRequest, with result: Result<HTTPResponse, HTTPError>
    ) {
      switch result {
      case .success(let response):
        logger.log(
          level: level, "request finished",
          metadata: metadata(
            request,
            [
              "status": "\(response.status)", "duration": "\(response.timings.total)",
              "attempts": "\(response.timings.attempts)",
              "bytes": "\(response.timings.bytesDecoded)",
            ]))
      case .failure(let error):
        logger.log(
          level: error.code == .cancelled ? level : .warning, "request failed",
          metadata: metadata(
            request,
            ["reason": "\(error.reason)", "attempts": "\(error.timings.attempts)"]))
      }
    }

    private func metadata(
      _ request: ObservedRequest, _ more: Logger.Metadata = [:]
    ) -> Logger.Metadata {
      var metadata = more
      metadata["request"] = "\(request.id)"
      metadata["method"] = "\(request.request.method.rawValue)"
      metadata["address"] = "\(request.address)"
      return metadata
    }

    private static func words(_ result: Result<HTTPResponse, HTTPError>) -> String {
      switch result {
      case .success(let response): "status \(response.status)"
      case .failure(let error): error.reason
      }
    }
  }
#endif
