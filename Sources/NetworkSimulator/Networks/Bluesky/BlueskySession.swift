internal import TextFormats

/// The beginning and the renewal of a session.
struct BlueskySession {
  private let world: SimulatedWorld
  private let host: String

  init(world: SimulatedWorld, host: String) {
    self.world = world
    self.host = host
  }

  /// The account's identifier.
  static func did(_ world: SimulatedWorld) -> String {
    "did:plc:" + Alphabet.base32.random(24, seed: StableHash.of("account", seed: world.seed))
  }

  /// Answers `createSession`.
  func created(for request: SimulatedRequest) -> SimulatedAnswer {
    guard request.header("content-type")?.hasPrefix("application/json") == true else {
      return invalid(
        "Wrong request encoding (Content-Type): \(request.header("content-type") ?? "none")")
    }
    let fields = JSONBody.read(request.body) { ($0["identifier"]?.string, $0["password"]?.string) }
    guard let fields else { return invalid("Unexpected token in JSON") }
    guard let identifier = fields.0 else {
      return invalid("Input must have the property \"identifier\"")
    }
    guard let password = fields.1 else {
      return invalid("Input must have the property \"password\"")
    }
    let names = [world.credentials.blueskyIdentifier, Self.did(world)]
    guard names.contains(identifier.lowercased()), password == world.credentials.blueskyAppPassword
    else {
      return BlueskyFault(
        "AuthenticationRequired", "Invalid identifier or password", status: 401
      ).answer
    }
    return .json(session)
  }

  /// Answers `refreshSession`, which takes the other token.
  func refreshed(for request: SimulatedRequest) -> SimulatedAnswer {
    do {
      try BlueskyToken.check(request.bearerToken, scope: .refresh, world: world)
      return .json(session)
    } catch {
      return error.answer
    }
  }

  private func invalid(_ message: String) -> SimulatedAnswer {
    BlueskyFault("InvalidRequest", message, status: 400).answer
  }

  private var session: JSONValue {
    let did = Self.did(world)
    let service = JSONValue.members([
      "id": "#atproto_pds", "type": "AtprotoPersonalDataServer",
      "serviceEndpoint": .string("http://\(host)/bluesky"),
    ])
    return .members([
      "accessJwt": .string(BlueskyToken.make(.access, number: world.sessionNumber, world: world)),
      "refreshJwt": .string(BlueskyToken.make(.refresh, number: world.sessionNumber, world: world)),
      "handle": .string(world.credentials.blueskyIdentifier), "did": .string(did),
      "didDoc": .members(["id": .string(did), "service": .array([service])]),
      "active": .bool(true),
    ])
  }
}
