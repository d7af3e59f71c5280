import Testing

@Suite struct TwitterClassicTests {
  @Test func `The first API's pages contain each post once, newest first`() async throws {
    try await withSimulator { fixture in
      var ids: [String] = []
      var next: String? = "?q=%23swift&rpp=40"
      while let query = next {
        let page = try await fixture.client.send("/twitter-classic/search.json" + query).json
        #expect(page["results_per_page"].integer == 40)
        #expect(page["query"].string == "%23swift")
        let results = page["results"].elements
        #expect(results.allSatisfy { $0["text"].string?.contains("#swift") == true })
        #expect(results.allSatisfy { $0["created_at"].string?.hasSuffix(" +0000") == true })
        ids += results.compactMap { $0["id_str"].string }
        next = page["next_page"].string
      }
      #expect(ids.count >= 60 && Set(ids).count == ids.count)
      #expect(ids == ids.sorted { (UInt64($0) ?? 0) > (UInt64($1) ?? 0) })
    }
  }

  @Test func `The later API's pages contain the same posts`() async throws {
    try await withSimulator { fixture in
      var ids: [String] = []
      var next: String? = "?q=%23swift&count=40&tweet_mode=extended"
      while let query = next {
        let page = try await fixture.client.send("/twitter-classic/1.1/search/tweets.json" + query)
          .json
        let statuses = page["statuses"].elements
        #expect(statuses.allSatisfy { $0["full_text"].string?.contains("#swift") == true })
        #expect(statuses.allSatisfy { $0["text"].isNull })
        ids += statuses.compactMap { $0["id_str"].string }
        next = page["search_metadata"]["next_results"].string
      }
      #expect(ids.count >= 60 && Set(ids).count == ids.count)
      let first = try await fixture.client.send("/twitter-classic/search.json?q=swift&rpp=100").json
      #expect(
        first["results"].elements.compactMap { $0["id_str"].string } == Array(ids.prefix(100)))
    }
  }

  @Test(arguments: [
    ("search.json", 403), ("search.json?q=", 403), ("search.json?q=swift&rpp=100&page=16", 403),
    ("search.json?q=swift&page=0", 403), ("search.json?q=swift&result_type=new", 403),
  ])
  func `The first API has one key for errors`(target: String, status: Int) async throws {
    try await withSimulator { fixture in
      let response = try await fixture.client.send("/twitter-classic/" + target)
      #expect(response.status == status)
      #expect(response.json["error"].string?.isEmpty == false)
    }
  }

  @Test func `The later API numbers its errors`() async throws {
    try await withSimulator { fixture in
      let response = try await fixture.client.send("/twitter-classic/1.1/search/tweets.json")
      #expect(response.status == 400)
      #expect(response.json["errors"][0]["code"].integer == 25)
    }
  }

  @Test func `A page has at most a hundred posts`() async throws {
    try await withSimulator { fixture in
      let page = try await fixture.client.send("/twitter-classic/search.json?q=plenty&rpp=500").json
      #expect(page["results"].elements.count == 100)
      #expect(page["results_per_page"].integer == 100)
    }
  }

  @Test func `An empty result has the id -1`() async throws {
    try await withSimulator { fixture in
      let page = try await fixture.client.send("/twitter-classic/search.json?q=%23nothing").json
      #expect(page["max_id"].integer == -1)
      #expect(page["results"].elements.isEmpty)
    }
  }
}
