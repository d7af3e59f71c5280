internal import TextFormats

/// A Pixelfed server: Mastodon's API for photos, without `Link` headers.
///
/// It needs a token, lists posts without media only if asked to, and has no page behind a post of more than six
/// months ago. Its posts are those of Mastodon, from a whole year.
/// <https://github.com/pixelfed/pixelfed/blob/dev/app/Http/Controllers/Api/ApiV1Controller.php>
struct PixelfedNetwork: MastodonAPI {
  let name = "pixelfed"

  private static let domain = "photos.example.net"
  private static let version = "0.12.6"
  private static let day = 86_400_000
  /// The days between two posts as a multiple of Mastodon's.
  private static let stretch = 60

  func answer(to request: SimulatedRequest, in world: SimulatedWorld) -> SimulatedAnswer {
    let nodeInfo = NodeInfoDocument(software: "pixelfed", version: Self.version)
    if let document = nodeInfo.answer(to: request) { return document }
    let route = request.route
    guard request.method == "GET" else { return fault("Method Not Allowed", status: 405) }
    if route == ["api", "v2", "instance"] { return settings }
    guard isTimeline(route) || route == ["api", "v2", "search"] else {
      return fault("Resource not found", status: 404)
    }
    guard request.bearerToken == world.credentials.mastodonAccessToken else {
      return fault("Unauthenticated.", status: 403)
    }
    guard isTimeline(route) else {
      // Words find accounts and hashtags, but no posts.
      return .json(
        .members([
          "accounts": .emptyArray, "hashtags": .emptyArray, "statuses": .emptyArray,
        ]))
    }
    return timeline(route[4], Parameters(request.query), in: world)
  }

  private var settings: SimulatedAnswer {
    .json(
      .members([
        "domain": .string(Self.domain), "title": "Photos",
        "version": .string("3.5.3 (compatible; Pixelfed \(Self.version))"),
        "source_url": "https://github.com/pixelfed/pixelfed",
      ]))
  }

  private func timeline(
    _ tag: String, _ parameters: Parameters, in world: SimulatedWorld
  ) -> SimulatedAnswer {
    let earliest = UInt64(world.now - 183 * Self.day) << 16
    let bound = parameters["max_id"] ?? parameters["min_id"]
    if let bound, UInt64(bound).map({ $0 < earliest }) ?? true { return .json(.emptyArray) }
    let showsAll = parameters["only_media"].map { ["false", "0", "off", "no"].contains($0) }
    let found = world.posts(QueryTerms("#" + tag), network: "mastodon").map { post in
      var post = post
      post.milliseconds = world.now - (world.now - post.milliseconds) * Self.stretch
      return MastodonStatus(post, on: Self.domain)
    }
    let shown = found.filter { $0.isOpen && ($0.post.hasImage || showsAll == true) }
    let page = MastodonRange(parameters).page(of: shown, in: world)
    return .json(
      .array(
        world.items(page.map(\.json), id: "id", text: ["content"], date: "created_at")))
  }

  func refusal(_ status: Int, to request: SimulatedRequest) -> SimulatedAnswer {
    fault(ReasonPhrase.of(status), status: status)
  }
}
