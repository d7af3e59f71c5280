import SearchModel
import Testing

@Suite struct VisibilityTests {
  @Test(arguments: [
    ("public", Visibility.public), ("Public", .public), ("unlisted", .unlisted),
    ("home", .unlisted),
    ("private", .private), ("direct", .direct), ("followers", .private), ("specified", .private),
    ("mutuals_only", .private), ("local", .private), ("", .private), ("öffentlich", .private),
  ])
  func `A name that is unknown counts as private`(name: String, visibility: Visibility) {
    #expect(Visibility(named: name) == visibility)
  }

  @Test func `A repost is for no more people than the post and the repost`() {
    #expect(Visibility.narrower(.public, .private) == .private)
    #expect(Visibility.narrower(.direct, .public) == .direct)
    #expect(Visibility.narrower(.unlisted, .public) == .unlisted)
    #expect(Visibility.narrower(nil, .private) == .private)
    #expect(Visibility.narrower(.unlisted, nil) == .unlisted)
    #expect(Visibility.narrower(nil, nil) == nil)
  }
}
