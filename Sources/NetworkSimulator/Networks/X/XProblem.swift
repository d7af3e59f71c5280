internal import TextFormats

/// A refusal of X: a problem of RFC 7807 as X writes it.
struct XProblem: Error {
  let status: Int
  let body: JSONValue

  /// Says that a parameter was not what it must be.
  static func invalid(_ parameter: String, _ values: [String], _ message: String) -> XProblem {
    let values = JSONValue.array(values.map { .string($0) })
    let fault = JSONValue.members([
      "parameters": .object([JSONMember(parameter, values)]), "message": .string(message),
    ])
    return XProblem(
      status: 400,
      body: .members([
        "errors": .array([fault]), "title": "Invalid Request",
        "detail": "One or more parameters to your request was invalid.",
        "type": "https://api.twitter.com/2/problems/invalid-request",
      ]))
  }

  /// The problem that stands for a status.
  static func status(_ status: Int) -> XProblem {
    switch status {
    case 400:
      return invalid("query", [], "Request parameter `query` can not be empty")
    case 402:
      return XProblem(
        status: 402,
        body: .members([
          "title": "CreditsDepleted",
          "detail":
            "Your enrolled account [1] does not have any credits to fulfill this request.",
          "type": "https://api.twitter.com/2/problems/credits", "account_id": .integer(1),
        ]))
    case 403:
      return XProblem(
        status: 403,
        body: .members([
          "title": "Client Forbidden", "reason": "client-not-enrolled",
          "required_enrollment": "Appropriate Level of API Access",
          "detail": "The client application has no access to this endpoint.",
          "registration_url": "https://developer.x.com/", "client_id": "1",
          "type": "https://api.twitter.com/2/problems/client-forbidden",
        ]))
    case _:
      let phrase = JSONValue.string(ReasonPhrase.of(status))
      return XProblem(
        status: status,
        body: .members([
          "title": phrase, "detail": phrase, "type": "about:blank", "status": .integer(status),
        ]))
    }
  }

  var answer: SimulatedAnswer {
    .json(body, status: status, type: "application/problem+json; charset=utf-8")
  }
}
