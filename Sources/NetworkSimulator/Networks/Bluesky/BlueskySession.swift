internal import FoundationEssentials
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

/// The tokens of a session: JSON Web Tokens with a signature that only this seed makes.
enum BlueskyToken {
  enum Scope: String, Sendable {
    case access = "com.atproto.appPass"
    case refresh = "com.atproto.refresh"

    /// The lifetime of such a token in seconds.
    var lifetime: Int { self == .access ? 7200 : 90 * 86_400 }
  }

  /// Makes the token of the session of that number.
  static func make(_ scope: Scope, number: Int, world: SimulatedWorld) -> String {
    let issued = world.clock / 1000
    let header = JSONValue.members([
      "typ": .string(scope == .access ? "at+jwt" : "refresh+jwt"), "alg": "ES256K",
    ])
    let claims = JSONValue.members([
      "scope": .string(scope.rawValue), "sub": .string(BlueskySession.did(world)),
      "iat": .integer(issued), "exp": .integer(issued + scope.lifetime),
      "aud": "did:web:pds.example", "jti": .string("\(number)"),
    ])
    let signed = base64(header.bytes) + "." + base64(claims.bytes)
    return signed + "." + signature(signed, world)
  }

  /// Throws the fault that a server has with the token.
  static func check(
    _ token: String?, scope: Scope, world: SimulatedWorld
  ) throws(BlueskyFault) {
    guard let token else {
      throw BlueskyFault("AuthMissing", "Authentication Required", status: 401)
    }
    let parts = token.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3, signature(parts[0] + "." + parts[1], world) == parts[2],
      let payload = bytes(parts[1]),
      let claims = JSONBody.read(
        payload,
        { claims in
          (claims["scope"]?.string, claims["exp"]?.integer ?? 0, claims["jti"]?.string)
        })
    else { throw BlueskyFault("InvalidToken", "Token could not be verified", status: 401) }
    guard claims.0 == scope.rawValue else {
      throw BlueskyFault("InvalidToken", "Bad token scope", status: 400)
    }
    let isFirst = world.expiresFirstSession && scope == .access && claims.2 == "0"
    // A personal data server says it with a 400: what counts is the name.
    if isFirst || claims.1 <= world.clock / 1000 {
      throw BlueskyFault("ExpiredToken", "Token has expired", status: 400)
    }
  }

  private static func signature(_ signed: String, _ world: SimulatedWorld) -> String {
    let mark = StableHash.of("bluesky token", signed, seed: world.seed)
    return Alphabet.base62.random(43, seed: mark)
  }

  private static func base64(_ bytes: [UInt8]) -> String {
    Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
      .filter { $0 != "=" }
  }

  private static func bytes(_ base64: String) -> [UInt8]? {
    var text = base64.replacing("-", with: "+").replacing("_", with: "/")
    text += String(repeating: "=", count: (4 - text.count % 4) % 4)
    return Data(base64Encoded: text).map { Array($0) }
  }
}
