/// Names of headers and parameters whose values are usually secrets.
enum SecretNames {
  static let advice =
    "no secrets in this file: name a variable in braces instead, such as {FORUM_TOKEN}"

  static func isHeader(_ name: String) -> Bool {
    let name = name.lowercased()
    return ["authorization", "proxy-authorization", "cookie"].contains(name)
      || ["token", "secret", "api-key", "apikey"].contains { name.contains($0) }
  }

  /// True if a parameter `name=value` has a value, under the name of a secret.
  static func isParameter(_ parameter: String) -> Bool {
    let parts = parameter.split(separator: "=", maxSplits: 1)
    guard parts.count == 2, let name = parts.first?.lowercased() else { return false }
    return isParameter(named: name)
  }

  /// - Parameter name: In lower case.
  static func isParameter(named name: String) -> Bool { parameters.contains(name) }

  private static let parameters: Set = [
    "key", "api_key", "api-key", "apikey", "token", "access_token", "auth", "auth_token", "secret",
    "client_secret", "password",
  ]
}
