/// The parameters of a query string in their order, decoded.
struct Parameters: Sendable {
  let pairs: [(name: String, value: String)]

  init(_ query: some StringProtocol) {
    pairs = query.split(separator: "&").map { pair in
      let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let value = halves.count == 2 ? PercentDecoding.decode(halves[1], plusIsSpace: true) : ""
      return (PercentDecoding.decode(halves[0], plusIsSpace: true), value)
    }
  }

  /// The first value of that name; nil when there is none.
  subscript(_ name: String) -> String? { pairs.first { $0.name == name }?.value }

  /// Every value of that name, also of the form `name[]`.
  func all(_ name: String) -> [String] {
    pairs.filter { $0.name == name || $0.name == name + "[]" }.map(\.value)
  }

  /// The whole number of that name; nil when there is none or it is none.
  func integer(_ name: String) -> Int? { self[name].flatMap { Int($0) } }

  /// Whether a switch of that name is on, as Rails reads it.
  func isOn(_ name: String) -> Bool {
    self[name].map { !["", "0", "f", "false", "off"].contains($0.lowercased()) } ?? false
  }
}
