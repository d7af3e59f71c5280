/// The parts of a simple request that are set on a handle: the next request that is equal to it needs
/// only another address.
struct PlainRequest: Equatable {
  private let headers: HTTPHeaders
  private let isSecure: Bool
  private let connectTimeout: Duration?

  /// Returns nil for a request that is more than simple.
  init?(_ hop: borrowing Hop, of ticket: Ticket?) {
    guard let ticket, ticket.progressThreshold == nil, hop.method == .get, hop.body == nil,
      hop.upload == nil, hop.cacheFields.fields.isEmpty
    else { return nil }
    if case .file = ticket.request.destination { return nil }
    // A handle must not take the credentials of one address along to the next.
    guard !hop.address.hasCredentials else { return nil }
    headers = hop.headers
    isSecure = hop.address.isSecure
    connectTimeout = ticket.request.timeouts.connect
  }
}
