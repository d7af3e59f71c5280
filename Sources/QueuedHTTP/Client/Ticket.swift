/// What stays the same of a request from its being taken in to its end.
final class Ticket: Sendable {
  let id: RequestID
  let request: HTTPRequest
  let hop: Hop
  let lane: Lane
  let delivery: Delivery

  /// Checks the request; throws `.badRequest` for one that cannot be sent.
  init(id: RequestID, request: HTTPRequest, delivery: Delivery) throws(HTTPError) {
    self.id = id
    self.request = request
    self.delivery = delivery
    hop = try Hop(request)
    lane = request.lane ?? Lane(rawValue: hop.address.origin)
  }

  /// The step in percent at which progress is told; nil where nobody listens.
  var progressThreshold: Double? {
    switch delivery {
    case .continuation, .stream: nil
    case .callbacks(let callbacks): callbacks.progressThreshold
    }
  }

  /// Whether a part of the response was handed out, so that no other may take its place.
  var hasBegun: Bool {
    switch delivery {
    case .continuation, .callbacks: false
    case .stream(let stream): stream.hasBegun
    }
  }

  func tell(_ progress: TransferProgress) {
    switch delivery {
    case .continuation, .stream: break
    case .callbacks(let callbacks): callbacks.tell(progress)
    }
  }
}
