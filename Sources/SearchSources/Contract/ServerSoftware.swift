package import QueuedHTTP

/// The software that a fediverse server runs, according to the server itself.
package struct ServerSoftware: Hashable, Sendable {
  /// In lower case, such as `mastodon` or `gotosocial`.
  package var name: String
  /// As the server writes it, such as `0.19.20`; nil if unknown.
  package var version: String?

  package init(name: String, version: String? = nil) {
    self.name = name.lowercased()
    self.version = version
  }

  /// The first number of the version; nil if it does not begin with one.
  var majorVersion: Int? {
    version.flatMap { Int($0.drop { $0 == "v" }.prefix { $0.isASCII && $0.isNumber }) }
  }
}

/// The variant of a page's request that suits the software of the server.
package enum SoftwareNeed: Sendable {
  /// Not at all.
  case none
  /// It differs for some software, but finding out is not worth a request.
  case ifKnown
  /// It cannot be written without knowing; this is the first request to find out.
  case ask(HTTPRequest)
}

/// The evidence in one response about the software of a server.
package enum SoftwareAnswer: Sendable {
  case runs(ServerSoftware)
  /// It names the document with more information.
  case ask(HTTPRequest)
  case unknown
}
