internal import TextFormats

/// The networks of the catalog: one way of serving for all of them, and a `CatalogService` for each.
struct CatalogNetwork: SimulatedNetwork {
  let service: any CatalogService

  var name: String { service.name }

  func answer(to request: SimulatedRequest, in world: SimulatedWorld) -> SimulatedAnswer {
    guard let segments = segments(of: request.route), request.method == service.method else {
      return refusal(404, to: request)
    }
    do {
      let parameters = try parameters(of: request)
      return try service.answer(
        CatalogCall(
          network: name, request: request, world: world, parameters: parameters, segments: segments)
      )
    } catch {
      return service.failure(error)
    }
  }

  private func segments(of route: [String]) -> [String]? {
    for known in service.routes where known.count == route.count {
      let pairs = zip(known, route)
      if pairs.allSatisfy({ $0 == $1 || $0 == "*" }) {
        return pairs.filter { $0.0 == "*" }.map(\.1)
      }
    }
    return nil
  }

  private func parameters(of request: SimulatedRequest) throws(CatalogError) -> Parameters {
    let given = Parameters(request.query)
    var pairs = given.pairs
    if request.method == "POST" {
      guard let members = JSONBody.read(request.body, Self.members) else {
        throw CatalogError(400, "The body is not a JSON object.")
      }
      pairs += members
    }
    let parameters = Parameters(pairs)
    for (name, _) in pairs where service.parameters[name] == nil {
      throw CatalogError(
        400, "Unexpected parameters: \(name)", code: "parameter-not-allowed")
    }
    for (name, rule) in service.parameters.sorted(by: { $0.key < $1.key }) {
      if let fault = rule.fault(of: name, parameters[name]) {
        throw CatalogError(400, fault, code: "parameter-not-valid")
      }
    }
    return parameters
  }

  /// The members of an object, as the text that a query would have; nil for anything else.
  private static func members(_ root: JSONNode) -> [(name: String, value: String)]? {
    guard root.kind == .object else { return nil }
    return root.members.map { key, value in
      (key.string ?? "", value.string ?? value.integer.map { "\($0)" } ?? "")
    }
  }

  func refusal(_ status: Int, to request: SimulatedRequest) -> SimulatedAnswer {
    service.failure(CatalogError(status, ReasonPhrase.of(status)))
  }

  func slowDown(_ wait: Wait, to request: SimulatedRequest) -> SimulatedAnswer {
    service.slowDown(wait)
  }

  func state(of request: SimulatedRequest) -> String? { service.state(of: request) }

  func quota(for request: SimulatedRequest) -> Quota? {
    service.pace.map { Quota(key: name, limit: $0.limit, seconds: $0.seconds) }
  }

  func headers(
    stating level: QuotaLevel, for request: SimulatedRequest
  ) -> [(name: String, value: String)] { service.headers(stating: level) }
}
