/// How many requests of a kind a network grants in a while.
struct Quota: Sendable, Hashable {
  /// What is counted together: a network's name, an account, a kind of request.
  let key: String
  let limit: Int
  let seconds: Int
}
