import Foundation
import Testing

@Suite struct DiscourseTests {
  private static let path = "/discourse/search.json?q=swift%20order:latest"

  @Test func `Its pages of 50 contain each post once, newest first`() async throws {
    try await withSimulator { fixture in
      var posts: [JSONTree] = []
      var number = 0
      var page = JSONTree(nil)
      repeat {
        number += 1
        page = try await fixture.client.send(Self.path + "&page=\(number)").json
        posts += page["posts"].elements
        #expect(page["topics"].elements.count == page["posts"].elements.count)
      } while !page["grouped_search_result"]["more_full_page_results"].isNull
      #expect(posts.count >= 60)
      #expect(Set(posts.compactMap { $0["id"].integer }).count == posts.count)
      let dates = posts.compactMap { $0["created_at"].string }
      #expect(dates == dates.sorted(by: >) && dates.count == posts.count)
    }
  }

  @Test func `Words match from their beginning`() async throws {
    try await withSimulator { fixture in
      let posts = try await fixture.client.send(Self.path).json["posts"].elements
      #expect(posts.contains { $0["blurb"].string?.contains("swiftly") == true })
    }
  }

  @Test(arguments: ["%22@nobody%22", "%22status:closed%22"])
  func `Quotation marks do not keep a text from being a filter`(text: String) async throws {
    try await withSimulator { fixture in
      let found = try await fixture.client.send("/discourse/search.json?q=swift%20\(text)").json
      #expect(found["posts"].elements.isEmpty)
    }
  }

  @Test func `Words that are all too short have no result`() async throws {
    try await withSimulator { fixture in
      let answer = try await fixture.client.send("/discourse/search.json?q=ab%20cd%20order:latest")
      #expect(answer.status == 200 && answer.json["grouped_search_result"].isNull)
    }
  }

  @Test(arguments: ["q=ab", "q=", "q=swift&page=11", "q=swift&page=0"])
  func `An unsupported search is a 400 with a message`(query: String) async throws {
    try await withSimulator { fixture in
      let response = try await fixture.client.send("/discourse/search.json?" + query)
      #expect(response.status == 400)
      #expect(response.json["errors"][0].string?.isEmpty == false)
    }
  }

  @Test func `Days limit the results, and an empty result has no topics`() async throws {
    try await withSimulator { fixture in
      let all = try await fixture.client.send(Self.path).json["posts"].elements
      let day = try #require(all.last?["created_at"].string?.prefix(10))
      let chosen = try await fixture.client.send(Self.path + "%20after:\(day)").json["posts"]
      #expect(chosen.elements.allSatisfy { $0["created_at"].string ?? "" > String(day) })
      let nothing = try await fixture.client.send("/discourse/search.json?q=nothing").json
      #expect(nothing["posts"].elements.isEmpty && !nothing.keys.contains("topics"))
    }
  }
}
