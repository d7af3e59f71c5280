import Foundation
import SearchModel
import Testing

@testable import SearchSources

/// The networks that come as declarations.
@Suite struct CatalogTests {
  private static let folder = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Sources/SearchSources/Catalog")

  @Test func `Each file of the folder is a network of the catalog`() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
    let names = Set(files.map { $0.replacing(".json", with: "") })
    let content = Set(Catalog.entries.map(\.bytes))
    for name in names {
      let bytes = [UInt8](try Data(contentsOf: Self.folder.appending(path: "\(name).json")))
      #expect(content.contains(bytes), "\(name).json has no line in Catalog.swift")
    }
    #expect(content.count == names.count)
    #expect(Set(Catalog.entries.map(\.name)).count == Catalog.entries.count)
    // A subject is a group, which a network's name would hide.
    #expect(Catalog.Subject.allCases.allSatisfy { Catalog.entry(named: $0.rawValue) == nil })
    #expect(Catalog.entries.allSatisfy { Sources.named($0.name.rawValue) == nil })
  }

  @Test(arguments: Catalog.entries.map(\.name.rawValue))
  func `A network of the catalog can be read, and tells its facts`(name: String) throws {
    let entry = try #require(Catalog.entry(named: name))
    let network = try entry.network()
    #expect(network.name.rawValue == name)
    let facts = network.facts
    #expect(facts.title != nil && facts.what != nil && facts.limits != nil && facts.checked != nil)
    #expect(facts.documentation?.hasPrefix("https://") == true)
    #expect(!network.traits.needsCredentials)
  }
}
