/// Small programs, each of which does one thing as a user of the library would: `consumer NAME ARGUMENT…`
@main
struct Consumer {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count > 2, let program = programs[arguments[1]] else {
      print("usage: consumer NAME ADDRESS [FILE]")
      return
    }
    try await program(arguments[2], arguments.count > 3 ? arguments[3] : "")
  }

  /// What each program is given: the address of a server, and the path of a file.
  typealias Program = @Sendable (_ base: String, _ file: String) async throws -> Void

  static let programs: [String: Program] = [
    "get": get, "json": json, "form": form, "upload": upload, "download": download,
    "lines": lines, "cancel": cancelGroup, "lanes": lanes, "priorities": priorities,
    "cached": cachedThenFresh, "post": postAgain, "proxy": proxy, "validation": validation,
    "deadline": deadline, "callback": callback,
  ]
}
