internal import ArgumentParser

/// A number of posts, from 1.
struct PostCount: ExpressibleByArgument, Hashable, Sendable {
  let number: Int

  init?(argument: String) {
    guard let number = Int(argument), number >= 1 else { return nil }
    self.number = number
  }
}
