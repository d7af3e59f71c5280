internal import TextFormats

/// A refusal of Stack Exchange: the number is its own, the status nearly always 400.
struct StackExchangeFault: Error {
  let id: Int
  let name: String
  let message: String

  static let noMethod = StackExchangeFault(
    id: 404, name: "no_method", message: "this method cannot be called")
  static let wantsToken = StackExchangeFault(
    id: 401, name: "access_token_required", message: "an access token is required")
  static let unavailable = StackExchangeFault(
    id: 503, name: "temporarily_unavailable", message: "the API is unavailable for a while")
  static let broken = StackExchangeFault(
    id: 500, name: "internal_error", message: "an unexpected error occurred")

  static func badParameter(_ message: String) -> StackExchangeFault {
    StackExchangeFault(id: 400, name: "bad_parameter", message: message)
  }

  static func throttled(seconds: Int) -> StackExchangeFault {
    StackExchangeFault(
      id: 502, name: "throttle_violation",
      message: "too many requests from this IP, more requests available in \(seconds) seconds")
  }

  var answer: SimulatedAnswer { answer(status: 400) }

  func answer(status: Int) -> SimulatedAnswer {
    .json(
      .members([
        "error_id": .integer(id), "error_message": .string(message), "error_name": .string(name),
      ]), status: status)
  }
}
