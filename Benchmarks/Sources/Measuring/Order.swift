/// The task of a measuring program: `ADDRESS [REQUESTS [AT-ONCE [VARIANT]]]`.
public struct Order: Sendable {
  /// The address to request.
  public let address: String
  /// The number of requests.
  public let requests: Int
  /// The number of requests at once.
  public let atOnce: Int
  /// The variant of the program to measure; nil for the plain one.
  public let variant: String?

  /// A part of an order.
  public init(_ order: Order, requests: Int) {
    address = order.address
    self.requests = requests
    atOnce = order.atOnce
    variant = order.variant
  }

  /// Reads the arguments of the process; says how to call it where they are none.
  public init(requests: Int, atOnce: Int) throws {
    let arguments = CommandLine.arguments.dropFirst()
    guard let address = arguments.first else { throw Misuse() }
    let numbers = arguments.dropFirst().prefix(2).map { Int($0) ?? 0 }
    guard numbers.allSatisfy({ $0 > 0 }) else { throw Misuse() }
    self.address = address
    self.requests = numbers.first ?? requests
    self.atOnce = numbers.dropFirst().first ?? atOnce
    variant = arguments.dropFirst(3).first
  }
}

/// Arguments that a measuring program cannot use.
struct Misuse: Error, CustomStringConvertible {
  var description: String {
    "usage: \(CommandLine.arguments[0]) ADDRESS [REQUESTS [AT-ONCE [VARIANT]]]"
  }
}
