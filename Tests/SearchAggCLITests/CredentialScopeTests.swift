import TestSupport
import Testing

/// Where a credential may travel, as the plan of a run shows it.
@Suite struct CredentialScopeTests {
  private func plan(servers: String, _ configuration: String? = nil) async throws -> String {
    var world = try TestWorld()
    world.environment["X_BEARER_TOKEN"] = "token"
    world.environment["B_TOKEN"] = "another"
    world.environment["SEARCHAGG_X_URL"] = configuration == nil ? servers : nil
    if let configuration {
      try world.folder.write(configuration, to: "home/.config/searchagg/config.json")
    }
    return await world.run("run", "swift", "--source", "x", "--dry-run").output
  }

  @Test(arguments: ["https://a.example", "http://127.0.0.1:8080"])
  func `A credential is sent over https, and to this machine`(server: String) async throws {
    let plan = try await plan(servers: server)
    #expect(plan.contains("\nGET \(server)/2/") && plan.contains("\nAuthorization: Bearer ***"))
  }

  @Test func `A credential is not sent without encryption`() async throws {
    #expect(
      try await plan(servers: "http://a.example")
        == "# x (http://a.example): swift: skipped: credentials are only sent over https\n")
  }

  @Test func `A credential that is meant for one server goes to none of several`() async throws {
    let plan = try await plan(servers: "https://a.example,https://b.example")
    #expect(!plan.contains("Authorization"))
    for name in ["a", "b"] {
      #expect(
        plan.contains(
          "# x (https://\(name).example): swift: skipped: several servers are set; "
            + "name the variable of each in the configuration file"))
    }
  }

  @Test func `Each of several servers gets the credential that is named for it`() async throws {
    let plan = try await plan(
      servers: "",
      #"""
      {"sources": {"x": {"servers": [
        {"url": "https://a.example", "credentials": ["X_BEARER_TOKEN"]},
        {"url": "https://b.example", "credentials": ["B_TOKEN"]}
      ]}}}
      """#)
    #expect(plan.split(separator: "\n").count { $0 == "Authorization: Bearer ***" } == 2, "\(plan)")
  }
}
