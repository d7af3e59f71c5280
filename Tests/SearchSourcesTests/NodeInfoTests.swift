import QueuedHTTP
import SearchModel
import Testing

@testable import SearchSources

struct NodeInfoTests {
  private static let host = "https://m.example"
  private static let schema = "http://nodeinfo.diaspora.software/ns/schema/"

  private func read(_ body: String, status: Int = 200, from url: String? = nil) throws
    -> SoftwareAnswer
  {
    let server = try #require(ServerAddress(Self.host))
    var response = answer(body, status: status)
    response.url = url ?? "\(Self.host)/.well-known/nodeinfo"
    return NodeInfo.answer(from: response, of: server)
  }

  private func list(_ links: [(String, String)]) -> String {
    let items = links.map { #"{"rel":"\#(Self.schema)\#($0)","href":"\#($1)"}"# }
    return #"{"links":[\#(items.joined(separator: ",")),7]}"#
  }

  @Test func `The newest document on the same host is requested`() throws {
    let body = list([("2.0", "\(Self.host)/nodeinfo/2.0"), ("2.1", "/nodeinfo/2.1")])
    guard case .ask(let request) = try read(body) else {
      Issue.record("nothing is asked")
      return
    }
    #expect(request.url == "\(Self.host)/nodeinfo/2.1")
    #expect(request.headers["Authorization"] == nil)
  }

  @Test(arguments: [
    "https://other.example/nodeinfo/2.0", "http://m.example/nodeinfo/2.0",
    "https://m.example:8443/nodeinfo/2.0", "https://a@m.example/nodeinfo/2.0", "//other.example/x",
    "nonsense", "",
  ])
  func `A document on another host says nothing about this one`(href: String) throws {
    guard case .unknown = try read(list([("2.0", href)])) else {
      Issue.record("\(href) is believed")
      return
    }
  }

  @Test func `A document names the program and its version`() throws {
    let body = #"{"version":"2.0","software":{"name":"GoToSocial","version":"0.20.0-local"}}"#
    guard case .runs(let software) = try read(body, from: "\(Self.host)/nodeinfo/2.0") else {
      Issue.record("nothing is known")
      return
    }
    #expect(software == ServerSoftware(name: "gotosocial", version: "0.20.0-local"))
    guard case .unknown = try read(body, from: "https://other.example/nodeinfo/2.0") else {
      Issue.record("a redirect to another host is followed")
      return
    }
  }

  @Test(arguments: ["", "[]", "<html>", "{}", #"{"software":7}"#, #"{"links":{}}"#])
  func `Anything but NodeInfo is ignored`(body: String) throws {
    for status in [200, 404, 500] {
      guard case .unknown = try read(body, status: status) else {
        Issue.record("\(body) is believed")
        return
      }
    }
  }

  @Test(arguments: Recorded.all)
  func `A recorded document is read`(recorded: Recorded) throws {
    var response = try recorded.answer("gotosocial/nodeinfo.json")
    response.url = "\(Self.host)/nodeinfo/2.0"
    let server = try #require(ServerAddress(Self.host))
    guard case .runs(let software) = NodeInfo.answer(from: response, of: server) else {
      Issue.record("nothing is known")
      return
    }
    #expect(software == ServerSoftware(name: "gotosocial", version: "0.20.0-local"))
    #expect(software.majorVersion == 0)
  }
}
