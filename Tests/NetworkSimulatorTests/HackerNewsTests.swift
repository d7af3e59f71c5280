import Testing

@Suite struct HackerNewsTests {
  private static let path = "/hackernews/api/v1/search_by_date?"
  private static let exact =
    "queryType=prefixNone&typoTolerance=false&restrictSearchableAttributes=title,comment_text&"

  @Test func `Its pages contain each post once, newest first`() async throws {
    try await withSimulator { fixture in
      var hits: [JSONTree] = []
      var number = 0
      var count = 1
      while number < count {
        let page = try await fixture.client.send(
          Self.path + Self.exact + "query=swift&hitsPerPage=40&page=\(number)"
        ).json
        count = page["nbPages"].integer ?? 0
        hits += page["hits"].elements
        #expect(page["page"].integer == number)
        #expect(page["nbHits"].integer ?? 0 >= hits.count)
        number += 1
      }
      #expect(hits.count >= 60)
      #expect(Set(hits.compactMap { $0["objectID"].string }).count == hits.count)
      let moments = hits.compactMap { $0["created_at_i"].integer }
      #expect(moments == moments.sorted(by: >) && moments.count == hits.count)
      for hit in hits {
        let text = hit["comment_text"].string ?? hit["title"].string
        #expect(text?.contains("swift") == true)
        #expect(hit["_tags"][0].string == (hit["comment_text"].isNull ? "story" : "comment"))
      }
    }
  }

  @Test func `It finds more than whole words, unless told otherwise`() async throws {
    try await withSimulator { fixture in
      func hits(_ query: String) async throws -> [JSONTree] {
        try await fixture.client.send(Self.path + "query=swift&hitsPerPage=1000" + query)
          .json["hits"].elements
      }
      let loose = try await hits("")
      var narrow = "&queryType=prefixNone"
      let noPrefixes = try await hits(narrow)
      narrow += "&typoTolerance=false"
      let noTypos = try await hits(narrow)
      narrow += "&restrictSearchableAttributes=title,story_text,comment_text"
      let exact = try await hits(narrow)
      #expect(loose.count > noPrefixes.count && noPrefixes.count > noTypos.count)
      #expect(noTypos.count > exact.count && exact.count >= 60)
    }
  }

  @Test func `Beyond a thousand hits there is a message`() async throws {
    try await withSimulator { fixture in
      let whole = try await fixture.client.send(
        Self.path + "\(Self.exact)query=plenty&hitsPerPage=1000"
      ).json
      #expect(whole["hits"].elements.count == 1000)
      #expect(whole["nbHits"].integer == 1500)
      #expect(whole["nbPages"].integer == 1)
      let beyond = try await fixture.client.send(Self.path + "query=plenty&hitsPerPage=100&page=10")
      #expect(beyond.status == 200)
      #expect(beyond.json["hits"].elements.isEmpty)
      #expect(beyond.json["message"].string?.hasPrefix("you can only fetch the 1000 hits") == true)
    }
  }

  @Test(arguments: [
    "hitsPerPage=1001", "hitsPerPage=-1", "hitsPerPage=x", "page=-1", "numericFilters=created_at_i",
    "numericFilters=created_at_i%3Esoon", "numericFilters=colour%3E1",
  ])
  func `A bad parameter is a message of status 400`(query: String) async throws {
    try await withSimulator { fixture in
      let response = try await fixture.client.send(Self.path + "query=swift&" + query)
      #expect(response.status == 400)
      #expect(response.json["message"].string?.isEmpty == false)
    }
  }

  @Test func `Filters and tags select posts`() async throws {
    try await withSimulator { fixture in
      let all = try await fixture.client.send(
        Self.path + Self.exact + "query=swift&hitsPerPage=1000"
      ).json[
        "hits"
      ].elements
      let moment = try #require(all[10]["created_at_i"].integer)
      func count(_ query: String) async throws -> Int {
        try await fixture.client.send(
          Self.path + Self.exact + "query=swift&hitsPerPage=1000&" + query
        )
        .json["hits"].elements.count
      }
      #expect(try await count("numericFilters=created_at_i%3E\(moment)") == 10)
      #expect(try await count("numericFilters=created_at_i%3E%3D\(moment)") == 11)
      #expect(try await count("numericFilters=created_at_i%3E\(moment),points%3C0") == 0)
      let stories = try await count("tags=story")
      let comments = try await count("tags=comment")
      #expect(stories + comments == all.count && stories > 0 && comments > 0)
      #expect(try await count("tags=(story,comment)") == all.count)
      #expect(try await count("tags=story,comment") == 0)
    }
  }
}
