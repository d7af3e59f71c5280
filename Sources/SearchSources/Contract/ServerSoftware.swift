package import QueuedHTTP

/// The software that a fediverse server runs and how it is set up, according to the server itself.
package struct ServerSoftware: Hashable, Sendable {
  /// In lower case, such as `mastodon` or `gotosocial`; empty if unknown.
  package var name: String
  /// As the server writes it, such as `0.19.20`; nil if unknown.
  package var version: String?
  /// The posts that it lists under hashtags; nil if it does not say.
  package var hashtagFeeds: HashtagFeeds?

  /// Whose posts a server lists under hashtags.
  package enum HashtagFeeds: Hashable, Sendable { case everyone, ownUsers, otherServers, nobody }

  package init(name: String, version: String? = nil, hashtagFeeds: HashtagFeeds? = nil) {
    self.name = name.lowercased()
    self.version = version
    self.hashtagFeeds = hashtagFeeds
  }

  /// The first number of the version; nil if it does not begin with one.
  var majorVersion: Int? {
    version.flatMap { Int($0.drop { $0 == "v" }.prefix { $0.isASCII && $0.isNumber }) }
  }
}

/// The facts about a server that a source needs to write a request or to read its response.
package enum SoftwareNeed: Sendable {
  /// Nothing.
  case none
  /// It differs for some software, but finding out is not worth a request.
  case ifKnown(SoftwareTopic)
  /// It cannot do without knowing; this is the first request to find out.
  case ask(HTTPRequest, SoftwareTopic)
}

/// The kind of information that a server is asked for.
package enum SoftwareTopic: Hashable, Sendable {
  /// Which program it runs, which holds for days.
  case program
  /// Its version and its settings, which may be others in the next run.
  case state
}

/// The evidence in one response about the software of a server.
package enum SoftwareAnswer: Sendable {
  case runs(ServerSoftware)
  /// It names the document with more information.
  case ask(HTTPRequest)
  case unknown
}
