import Foundation
import Testing

@Suite struct BlueskyTests {
  private static let path = "/bluesky/xrpc/app.bsky.feed.searchPosts?"

  @Test func `Its pages contain each post once, as the server saw them`() async throws {
    try await withSimulator { fixture in
      let session = try await fixture.blueskySession()
      var seen: [(uri: String, date: Date)] = []
      var backdated = 0
      var cursor: String?
      repeat {
        let more = cursor.map { "&cursor=\($0)" } ?? ""
        let page = try await fixture.client.send(
          Self.path + "q=swift&limit=30" + more, headers: session
        ).json
        for post in page["posts"].elements {
          let indexed = try #require(date(post["indexedAt"].string))
          let created = date(post["record"]["createdAt"].string) ?? indexed
          if created < indexed.addingTimeInterval(-86_400) { backdated += 1 }
          seen.append((try #require(post["uri"].string), indexed))
          #expect(post["record"]["text"].string?.contains("#swift") == true)
        }
        cursor = page["cursor"].string
      } while cursor != nil
      #expect(seen.count >= 55 && backdated > 0)
      #expect(Set(seen.map(\.uri)).count == seen.count)
      #expect(zip(seen, seen.dropFirst()).allSatisfy { $0.date >= $1.date })
    }
  }

  private func date(_ text: String?) -> Date? {
    guard let text else { return nil }
    let zone = text.last == "Z" ? text.dropLast() : text.dropLast(6)
    let offset = text.last == "Z" ? "Z" : String(text.suffix(6))
    let halves = zone.split(separator: ".")
    let whole = try? Date(String(halves[0]) + offset, strategy: .iso8601)
    let fraction = halves.count == 2 ? Double("0." + halves[1].prefix(3)) ?? 0 : 0
    return whole?.addingTimeInterval(fraction)
  }

  @Test func `Some accounts ask to be shown only to people who are signed in`() async throws {
    try await withSimulator { fixture in
      let posts = try await fixture.client.send(Self.path + "q=swift&limit=100").json["posts"]
      let labelled = posts.elements.filter {
        $0["author"]["labels"][0]["val"].string == "!no-unauthenticated"
      }
      #expect(!labelled.isEmpty && labelled.count < posts.elements.count / 2)
      #expect(
        labelled.allSatisfy {
          $0["author"]["labels"][0]["src"].string == $0["author"]["did"].string
        })
    }
  }

  @Test func `Dates take many forms`() async throws {
    try await withSimulator { fixture in
      let page = try await fixture.client.send(Self.path + "q=swift&limit=100").json
      let dates = page["posts"].elements.compactMap { $0["record"]["createdAt"].string }
      #expect(dates.contains { $0.hasSuffix("-05:00") })
      #expect(dates.contains { $0.hasSuffix("+00:00") })
      #expect(dates.contains { $0.count == 27 && $0.hasSuffix("Z") })
    }
  }

  @Test(arguments: [
    "", "q=", "q=swift&limit=0", "q=swift&limit=101", "q=swift&limit=few",
  ])
  func `A request outside the lexicon is an InvalidRequest`(query: String) async throws {
    try await withSimulator { fixture in
      let response = try await fixture.client.send(Self.path + query)
      #expect(response.status == 400)
      #expect(response.json["error"].string == "InvalidRequest")
    }
  }

  @Test func `A cursor without a session is refused in HTML`() async throws {
    try await withSimulator { fixture in
      let first = try await fixture.client.send(Self.path + "q=swift")
      #expect(first.json["posts"].elements.count > 20)
      #expect(first.json["cursor"].string == "25")
      let second = try await fixture.client.send(Self.path + "q=swift&cursor=25")
      #expect(second.status == 403)
      #expect(second.header("Content-Type")?.hasPrefix("text/html") == true)
      #expect(second.text.contains("Request forbidden by administrative rules."))
    }
  }

  @Test func `Passwords and tokens are checked`() async throws {
    try await withSimulator { fixture in
      let wrong = try await fixture.logIn(password: "wrong")
      #expect(wrong.status == 401)
      #expect(wrong.json["error"].string == "AuthenticationRequired")
      let made = try await fixture.client.send(
        Self.path + "q=swift", headers: ["Authorization": "Bearer a.b.c"])
      #expect(made.status == 401)
      #expect(made.json["error"].string == "InvalidToken")
    }
  }

  @Test func `A session is renewed with its other token`() async throws {
    try await withSimulator { fixture in
      let password = try #require(fixture.environment["BLUESKY_APP_PASSWORD"])
      let session = try await fixture.logIn(password: password).json
      func renew(_ token: String?) async throws -> RawResponse {
        try await fixture.client.send(
          "/bluesky/xrpc/com.atproto.server.refreshSession", method: "POST",
          headers: ["Authorization": "Bearer \(token ?? "")"])
      }
      let refused = try await renew(session["accessJwt"].string)
      #expect(refused.json["error"].string == "InvalidToken")
      let renewed = try await renew(session["refreshJwt"].string)
      #expect(renewed.status == 200)
      let search = try await fixture.client.send(
        Self.path + "q=swift&cursor=25",
        headers: ["Authorization": "Bearer \(renewed.json["accessJwt"].string ?? "")"])
      #expect(search.status == 200)
    }
  }

  @Test func `An expired token is named in the error`() async throws {
    try await withSimulator { fixture in
      let path = "/~expired-token" + Self.path + "q=swift"
      let first = try await fixture.blueskySession()
      let refused = try await fixture.client.send(path, headers: first)
      #expect(refused.status == 400)
      #expect(refused.json["error"].string == "ExpiredToken")
      let second = try await fixture.blueskySession()
      let accepted = try await fixture.client.send(path, headers: second)
      #expect(accepted.status == 200)
    }
  }

  @Test func `Facets count bytes of UTF-8`() async throws {
    try await withSimulator { fixture in
      let page = try await fixture.client.send(Self.path + "q=swift&limit=100").json
      var checked = 0
      for post in page["posts"].elements {
        let text = Array((post["record"]["text"].string ?? "").utf8)
        for facet in post["record"]["facets"].elements {
          let start = facet["index"]["byteStart"].integer ?? 0
          let end = facet["index"]["byteEnd"].integer ?? 0
          let slice = String(decoding: text[start..<end], as: UTF8.self)
          let feature = facet["features"][0]
          switch feature["$type"].string {
          case "app.bsky.richtext.facet#tag": #expect(slice == "#" + (feature["tag"].string ?? ""))
          case "app.bsky.richtext.facet#mention": #expect(slice.hasPrefix("@"))
          default:
            let uri = feature["uri"].string ?? ""
            #expect(uri.contains(slice.replacing("...", with: "")))
          }
          checked += 1
        }
      }
      #expect(checked > 60)
    }
  }

  @Test func `Since is inclusive and until is not`() async throws {
    try await withSimulator { fixture in
      let all = try await fixture.client.send(Self.path + "q=swift&limit=100").json["posts"]
        .elements
      // A post whose server date is the earlier of its two.
      let place = try #require(
        all.indices.first { place in
          place > 5
            && (date(all[place]["record"]["createdAt"].string) ?? .distantPast)
              > (date(all[place]["indexedAt"].string) ?? .distantFuture)
        } ?? all.indices.first { all[$0]["record"]["createdAt"].string?.count == 24 && $0 > 5 })
      let created = try #require(all[place]["record"]["createdAt"].string)
      let indexed = try #require(all[place]["indexedAt"].string)
      let moment = min(created, indexed)
      let until = try await fixture.client.send(Self.path + "q=swift&until=\(moment)").json
      #expect(until["posts"][0]["uri"].string == all[place + 1]["uri"].string)
      let since = try await fixture.client.send(Self.path + "q=swift&limit=100&since=\(moment)")
        .json
      #expect(since["posts"].elements.last?["uri"].string == all[place]["uri"].string)
    }
  }

  @Test func `It states its quota with an epoch and a policy`() async throws {
    try await withSimulator { fixture in
      let response = try await fixture.client.send(Self.path + "q=swift")
      #expect(response.header("RateLimit-Limit") == "3000")
      #expect(response.header("RateLimit-Policy") == "3000;w=300")
      #expect(response.header("RateLimit-Reset").flatMap { Int($0) } ?? 0 > 1_700_000_000)
    }
  }
}
