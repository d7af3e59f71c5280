internal import TextFormats

/// A refusal of GitHub.
struct GitHubFault: Error {
  let message: String
  let status: Int
  /// What is wrong with the query; nil when it is something else.
  let detail: String?

  init(_ message: String, status: Int, detail: String? = nil) {
    self.message = message
    self.status = status
    self.detail = detail
  }

  /// Says that the query cannot be searched for.
  static func invalid(_ detail: String) -> GitHubFault {
    GitHubFault("Validation Failed", status: 422, detail: detail)
  }

  var answer: SimulatedAnswer {
    let errors = detail.map { detail in
      JSONValue.array([
        .members([
          "resource": "Search", "field": "q", "code": "invalid", "message": .string(detail),
        ])
      ])
    }
    return .json(
      .members([
        "message": .string(message), "errors": errors,
        "documentation_url": "https://docs.github.com/rest/search/search",
        "status": .string("\(status)"),
      ]), status: status)
  }
}
