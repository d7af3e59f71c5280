internal import TextFormats

/// A refusal in the form that all of XRPC has: a name to decide on, and a message.
struct BlueskyFault: Error {
  let name: String
  let message: String
  let status: Int

  init(_ name: String, _ message: String, status: Int) {
    self.name = name
    self.message = message
    self.status = status
  }

  var answer: SimulatedAnswer {
    .json(.members(["error": .string(name), "message": .string(message)]), status: status)
  }
}
