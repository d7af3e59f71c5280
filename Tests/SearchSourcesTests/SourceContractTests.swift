import Foundation
import NetworkSimulator
import QueuedHTTP
import SearchModel
import Testing

@testable import SearchSources

/// The rules that every source keeps, against what its simulated network answers.
///
/// One after the other: each is a simulator and much reading, and all of them at once leave nothing
/// to the tests of other suites, which wait for processes and servers.
@Suite(.serialized) struct SourceContractTests {
  /// Networks whose items are names, which cannot hold every sign.
  private static let nameOnly: Set = ["hf-models"]

  /// Networks that know when an article was edited, but not when it was written.
  private static let undated: Set = ["wikipedia", "mediawiki"]

  /// Sources whose network knows a credential in the query only; messages never show a query.
  private static let keyedByQuery: Set = ["stackexchange", "youtube", "tumblr", "threads"]

  private static let package = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  @Test func `Each network's file is on the list and has a simulated network`() throws {
    let folder = Self.package.appending(path: "Sources/SearchSources/Networks")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    let types = Set(files.map { $0.prefix { $0 != "." && $0 != "+" }.lowercased() })
    // A declaration in Swift has the type of all declarations, in a file of its own name.
    let listed = Sources.all.map { source in
      source is JSONNetwork
        ? source.name.rawValue : String(describing: type(of: source)).lowercased()
    }
    #expect(types == Set(listed))
    #expect(Sources.all.map(\.name.rawValue) == Simulator.sources)
    #expect(Set(Catalog.entries.map(\.name.rawValue)) == Set(Simulator.catalog))
    #expect(Set(EverySource.names).count == EverySource.names.count)
  }

  @Test(arguments: EverySource.names)
  func `Its traits are consistent`(name: String) throws {
    let source = try EverySource.named(name)
    #expect(source.traits.attribution.isEmpty == false)
    #expect(!source.traits.needsCredentials || !source.traits.credentialNames.isEmpty)
    for address in [source.traits.defaultServer, source.traits.serverWithCredentials] {
      guard let address else { continue }
      #expect(ServerAddress(address)?.isSecure == true)
    }
  }

  @Test(arguments: EverySource.names)
  func `Its pages contain each post once, complete and in the stated order`(name: String)
    async throws
  {
    try await SimulatedAsking.with(name) { asking in
      let pages = try await asking.walk("#swift", wanted: 30)
      var uris: Set<String> = []
      var oldest = Date.distantFuture
      var dates: [Date] = []
      for answered in pages {
        let page = try answered.page
        #expect(page.brokenItems == 0)
        for post in page.posts {
          #expect(!post.id.isEmpty && !post.uri.isEmpty)
          #expect(post.source == asking.source.name && post.server == answered.asked.server)
          // Pages by date may overlap in their last moment, which the merge sees to.
          let isNew = uris.insert(post.uri).inserted
          #expect(isNew || post.createdAt == oldest, "\(post.uri) came twice")
          #expect(!post.text.isEmpty || post.title != nil || !post.media.isEmpty)
          #expect(post.url.map { $0.hasPrefix("http") } ?? true)
          #expect((post.links + post.media).allSatisfy { $0.hasPrefix("http") })
          guard let date = post.createdAt, !post.isPinned else { continue }
          let milliseconds = date.timeIntervalSince1970 * 1000
          #expect(abs(milliseconds - milliseconds.rounded()) < 0.001)
          dates.append(date)
          oldest = min(oldest, date)
        }
        let hasDates = page.posts.contains { $0.createdAt != nil }
        #expect(page.posts.isEmpty || hasDates != Self.undated.contains(name))
      }
      switch asking.source.traits.order {
      case .exact: #expect(dates == dates.sorted(by: >))
      case .approximate: #expect(Self.isAlmostNewestFirst(dates))
      case .unordered: break
      }
      #expect(uris.count >= 40)
      #expect(pages.count > 1 || asking.source.traits.pageSize.upperBound >= 100)
    }
  }

  /// Whether nothing that follows 20 posts in a row is newer than all of these.
  private static func isAlmostNewestFirst(_ dates: [Date]) -> Bool {
    dates.indices.dropFirst(20).allSatisfy { index in
      dates[index] <= dates[(index - 20)..<index].reduce(.distantPast, max)
    }
  }

  @Test(arguments: EverySource.names)
  func `A query that finds nothing ends at once, without a failure`(name: String) async throws {
    try await SimulatedAsking.with(name) { asking in
      let pages = try await asking.walk("#nothing", wanted: 30)
      #expect(try pages.allSatisfy { try $0.page.posts.isEmpty && $0.page.brokenItems == 0 })
      #expect(pages.count <= 2)
    }
  }

  @Test(arguments: EverySource.names)
  func `Broken items are counted, and the others are read`(name: String) async throws {
    try await SimulatedAsking.with(name) { asking in
      let whole = try await asking.page("#swift", wanted: 30).page
      let broken = try await asking.page("#swift", fault: "~broken-item", wanted: 30).page
      #expect(broken.brokenItems >= 3)
      // A result without an address is nothing to SearXNG.
      let skipped = name == "searxng" ? 1...2 : 0...0
      #expect(skipped.contains(whole.posts.count - broken.posts.count - broken.brokenItems))
      // Every fourth is broken, and some of these can still be read.
      #expect(broken.posts.count >= whole.posts.count * 3 / 4 - 1)
      #expect(broken.next == nil || whole.next != nil)
    }
  }

  @Test(arguments: EverySource.names)
  func `Hostile texts stay data`(name: String) async throws {
    try await SimulatedAsking.with(name) { asking in
      var posts: [Post] = []
      var cursor: Cursor?
      repeat {
        let page = try await asking.page("#swift", fault: "~hostile", wanted: 100, cursor: cursor)
          .page
        #expect(page.brokenItems == 0)
        posts += page.posts
        cursor = page.next
      } while posts.count < 150 && cursor != nil
      let texts = posts.map { "\($0.title ?? "")\($0.text)" }
      guard !Self.nameOnly.contains(name) else { return }
      for snippet in ["<script>alert(1)</script>", "\u{202E}", "=HYPERLINK("] {
        #expect(texts.contains { $0.contains(snippet) }, "\(snippet)")
      }
      for post in posts {
        for address in post.links + post.media + [post.url, post.author.url].compactMap(\.self) {
          #expect(address.hasPrefix("http"), "\(address)")
        }
      }
    }
  }

  @Test(arguments: EverySource.names)
  func `A request goes to its server, and credentials are never logged`(
    name: String
  ) async throws {
    try await SimulatedAsking.with(name) { asking in
      let answered = try await asking.page("#swift", wanted: 30)
      let end = asking.source.traits.takesWholeAddress ? "?" : "/"
      #expect(answered.request.url.hasPrefix(answered.asked.server.text + end))
      #expect(answered.request.url.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
      let sent =
        (answered.asked.credentials?.values ?? [])
        + [answered.asked.session?.accessToken].compactMap(\.self)
      let body = String(decoding: answered.request.body ?? [], as: UTF8.self)
      for secret in sent {
        #expect(Self.keyedByQuery.contains(name) || !answered.request.url.contains(secret))
        // Misskey takes its token in the body, which nobody logs either.
        #expect(name == "misskey" || !body.contains(secret))
      }
      let names = Set(answered.request.headers.fields.map { $0.name.lowercased() })
      let ordinary: Set = ["accept", "authorization", "content-type", "x-github-api-version"]
      #expect(
        names.subtracting(ordinary) == Set(answered.request.secretHeaders.map { $0.lowercased() }))
    }
  }

  @Test(arguments: EverySource.names)
  func `Without credentials it is anonymous or says what it needs`(name: String) async throws {
    try await SimulatedAsking.with(name) { asking in
      if asking.source.traits.needsCredentials {
        let failure = await #expect(throws: Failure.self) {
          try await asking.page("#swift", isAnonymous: true)
        }
        #expect(failure?.kind == .credential)
        for variable in asking.source.traits.credentialNames {
          #expect(failure?.advice?.contains(variable) == true)
        }
      } else {
        let page = try await asking.page("#swift", wanted: 30, isAnonymous: true).page
        #expect(page.posts.count >= 20)
      }
    }
  }

  @Test(arguments: EverySource.names)
  func `Each failure is of its kind`(name: String) async throws {
    try await SimulatedAsking.with(name) { asking in
      for (fault, kind) in [
        ("~status=500", Failure.Kind.temporary), ("~status=401", .credential),
        ("~html", .permanent), ("~garbage", .permanent), ("~status=400", .permanent),
      ] {
        let answered = try await asking.page("#swift", fault: fault)
        guard case .failure(.failed(let failure)) = answered.result else {
          Issue.record("\(fault) gives \(answered.result)")
          continue
        }
        #expect(failure.kind == kind, "\(fault)")
        #expect(!failure.message.contains { $0.isNewline })
      }
    }
  }

  @Test(arguments: EverySource.names)
  func `"Slow down" is understood in the network's own words`(name: String) async throws {
    try await SimulatedAsking.with(name) { asking in
      let answered = try await asking.page("#swift", fault: "~retry-after=90")
      guard case .failure(.rateLimited(let until, let failure)) = answered.result else {
        Issue.record("it gives \(answered.result)")
        return
      }
      #expect(failure.kind == .temporary)
      #expect(until.map { $0 > testNow } ?? true)
      let verdict = asking.source.verdict(on: answered.response, now: testNow)
      #expect(verdict != .done)
      let good = try await asking.page("#swift")
      #expect(asking.source.verdict(on: good.response, now: testNow) == .done)
    }
  }

  @Test(arguments: EverySource.names.filter { $0 == "feed" || !EverySource.feeds.contains($0) })
  func `One value of another type never costs the other posts`(name: String) async throws {
    try await SimulatedAsking.with(name) { asking in
      let whole = try await asking.page("#swift", wanted: 10)
      #expect(try asking.checkSpoiled(whole) >= 3)
    }
  }
}
