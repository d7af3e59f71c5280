internal import CSimdJSON

/// Why a text is no JSON that can be read.
package struct JSONError: Error, Sendable, Hashable, CustomStringConvertible {
  /// simdjson's error code, or a negative number for one of ours.
  let code: Int32

  static let empty = JSONError(code: -1)
  static let outOfMemory = JSONError(code: -2)

  package var description: String {
    switch self {
    case .empty: "there is nothing in it"
    case .outOfMemory: "out of memory"
    case _: unsafe String(cString: csimdjson_message(code))
    }
  }
}
