/// What a handle is set for when it just asks for something: the next request that is equal to it
/// needs nothing new but its address.
struct PlainRequest: Equatable {
  private let headers: HTTPHeaders
  private let isSecure: Bool
  private let connectTimeout: Duration?

  /// Nil for a hop that has more to it.
  init?(_ hop: Hop, of ticket: Ticket?) {
    guard let ticket, ticket.progressThreshold == nil, hop.method == .get, hop.body == nil,
      hop.upload == nil, hop.cacheFields.fields.isEmpty
    else { return nil }
    if case .file = ticket.request.destination { return nil }
    // No handle takes the credentials of one address along to the next.
    guard !hop.address.text.utf8.contains(UInt8(ascii: "@")) else { return nil }
    headers = hop.headers
    isSecure = hop.address.isSecure
    connectTimeout = ticket.request.timeouts.connect
  }
}
