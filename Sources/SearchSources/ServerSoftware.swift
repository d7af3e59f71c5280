package import QueuedHTTP

/// The program that a server of the fediverse runs, as the server itself says.
package struct ServerSoftware: Hashable, Sendable {
  /// In lower case, such as `mastodon` or `gotosocial`.
  package var name: String
  /// As the program writes it, such as `0.19.20`; nil when it was not said.
  package var version: String?

  package init(name: String, version: String? = nil) {
    self.name = name.lowercased()
    self.version = version
  }

  /// The first number of its version; nil where that does not begin with one.
  var majorVersion: Int? {
    version.flatMap { Int($0.drop { $0 == "v" }.prefix { $0.isASCII && $0.isNumber }) }
  }
}

/// What a page's request has to do with the program that its server runs.
package enum SoftwareNeed: Sendable {
  /// Nothing.
  case none
  /// It is written differently for some programs, which is not worth a request of its own.
  case ifKnown
  /// It cannot be written without knowing; this request is the first to ask.
  case ask(HTTPRequest)
}

/// What one answer says of the program that a server runs.
package enum SoftwareAnswer: Sendable {
  case runs(ServerSoftware)
  /// It names the document that says more.
  case ask(HTTPRequest)
  case unknown
}
