/// The reason that a simulator cannot start.
package enum SimulatorError: Error, CustomStringConvertible {
  case portTaken(UInt16)
  case cannotListen(String)

  package var description: String {
    switch self {
    case .portTaken(let port):
      "port \(port) is taken: choose another with --port, or omit it for a free port"
    case .cannotListen(let reason): "cannot listen on 127.0.0.1: \(reason)"
    }
  }
}
