internal import ArgumentParser

/// A new value of a tag's setting; an empty word takes the setting away.
enum Setting<Value: ExpressibleByArgument & Sendable>: ExpressibleByArgument {
  case cleared
  case value(Value)

  init?(argument: String) {
    if argument.isEmpty {
      self = .cleared
    } else {
      guard let value = Value(argument: argument) else { return nil }
      self = .value(value)
    }
  }

  var value: Value? {
    switch self {
    case .cleared: nil
    case .value(let value): value
    }
  }
}
