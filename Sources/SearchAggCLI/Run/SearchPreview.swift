internal import FoundationEssentials
internal import QueuedHTTP
internal import SearchModel
internal import SearchSources

/// The requests that a search would make, as far as they can be told without an answer.
///
/// They are made with a mask in the place of each secret: what is not there cannot be shown.
struct SearchPreview {
  private let source: any Source
  private let page: PageRequest
  /// The request that opens a session; nil where there is none to open.
  let login: RequestPreview?

  /// - Parameter page: What would be asked for first.
  init(_ page: PageRequest, of source: any Source) {
    self.source = source
    var page = page
    let traits = source.traits
    let isMissing = page.credentials == nil && traits.needsCredentials
    let count = page.credentials?.values.count ?? (isMissing ? traits.credentialNames.count : 0)
    page.credentials =
      count == 0 ? nil : Credentials(Array(repeating: RequestPreview.mask, count: count))
    login = page.credentials.flatMap { source.loginRequest(to: page.server, with: $0) }
      .map(RequestPreview.init)
    page.session = login == nil ? nil : Session(accessToken: RequestPreview.mask)
    self.page = page
  }

  /// The request for the first page, or why there is none.
  func first() throws(Failure) -> RequestPreview {
    RequestPreview(try source.request(for: page))
  }

  /// The request for the second page; nil where the first answer says how it goes on.
  func second() throws(Failure) -> RequestPreview? {
    guard let cursor = source.secondPage(after: page) else { return nil }
    var page = page
    page.cursor = cursor
    return RequestPreview(try source.request(for: page))
  }

  /// The most that the first page costs, for people; nil where asking is free.
  var cost: String? {
    guard let cost = source.traits.cost else { return nil }
    let most = cost.of(posts: page.size(within: source.traits.pageSize))
    return "\(cost.perPost > 0 ? "up to " : "")\(most) \(cost.unit)"
  }
}
