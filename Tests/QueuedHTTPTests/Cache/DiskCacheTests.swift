import Foundation
import Synchronization
import TestSupport
import Testing

@testable import QueuedHTTP

@Suite struct DiskCacheTests {
  private func key(_ name: String) -> CacheKey {
    CacheKey(address: "http://host/\(name)", origin: "http://host:80")
  }

  private func entry(_ text: String, headers: HTTPHeaders = ["A": "1", "a": "2"]) -> CacheEntry {
    entry(Array(text.utf8), headers: headers)
  }

  private func entry(_ bytes: [UInt8], headers: HTTPHeaders = [:]) -> CacheEntry {
    .response(
      StoredResponse(
        status: 200, headers: headers, body: HTTPBody(bytes),
        requested: Date(timeIntervalSince1970: 1_000_000.25),
        received: Date(timeIntervalSince1970: 1_000_001.5)))
  }

  private func text(_ entry: CacheEntry?) -> String? {
    guard case .response(let response)? = entry else { return nil }
    return response.body.text
  }

  private func entries(_ folder: Folder) throws -> [String] {
    try folder.names.filter { $0.hasSuffix(".entry") }
  }

  @Test func `What is stored is found again, by another process too`() throws {
    let folder = try Folder()
    let path = folder["a/b/cache"]
    let cache = DiskCache(folder: path)
    #expect(text(cache.entry(for: key("1"))) == nil)
    cache.store(entry("one"), for: key("1"))
    cache.store(.variants(CacheVariants(number: 7, names: ["a", "b"])), for: key("2"))
    // Another one reads the key and the files anew.
    let other = DiskCache(folder: path)
    guard case .response(let response)? = other.entry(for: key("1")) else {
      Issue.record("nothing was found")
      return
    }
    #expect(response.status == 200)
    #expect(response.headers == ["A": "1", "a": "2"])
    #expect(response.body.text == "one")
    #expect(response.requested == Date(timeIntervalSince1970: 1_000_000.25))
    #expect(response.received == Date(timeIntervalSince1970: 1_000_001.5))
    guard case .variants(let variants)? = other.entry(for: key("2")) else {
      Issue.record("nothing was found")
      return
    }
    #expect(variants == CacheVariants(number: 7, names: ["a", "b"]))
    cache.store(entry("new"), for: key("1"))
    #expect(text(other.entry(for: key("1"))) == "new")
    other.removeEntry(for: key("1"))
    #expect(text(cache.entry(for: key("1"))) == nil)
    #expect(cache.counts.stored == 3)
    #expect(cache.counts.damaged + other.counts.damaged == 0)
    #expect(cache.problem == nil)
  }

  @Test func `Folder and files are for their owner alone`() throws {
    let folder = try Folder()
    let cache = DiskCache(folder: folder["new/cache"])
    cache.store(entry("one"), for: key("1"))
    #expect(try folder.mode(of: "new") == 0o700)
    #expect(try folder.mode(of: "new/cache") == 0o700)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder["new/cache"])
    #expect(names.count == 2)
    for name in names { #expect(try folder.mode(of: "new/cache/\(name)") == 0o600) }
  }

  @Test func `A folder that others may write into is not used, and costs no request`() throws {
    let folder = try Folder()
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.path)
    let cache = DiskCache(folder: folder.path)
    cache.store(entry("one"), for: key("1"))
    #expect(text(cache.entry(for: key("1"))) == nil)
    #expect(try folder.names == [])
    #expect(cache.counts.failed == 2)
    #expect(
      cache.problem == "\(folder.path): cannot be written: "
        + "others can write into it; run: chmod go-w \(folder.path)")
  }

  @Test func `A path that cannot be a folder is a problem that is named`() throws {
    let folder = try Folder()
    let path = try folder.write("no folder", to: "file")
    let cache = DiskCache(folder: path)
    cache.store(entry("one"), for: key("1"))
    #expect(cache.counts.failed == 1)
    #expect(cache.problem?.hasPrefix(path) == true)
    #expect(try folder.text(of: "file") == "no folder")
  }

  @Test func `A folder that is removed meanwhile is made again`() throws {
    let folder = try Folder()
    let cache = DiskCache(folder: folder["cache"])
    cache.store(entry("one"), for: key("1"))
    try FileManager.default.removeItem(atPath: folder["cache"])
    #expect(text(cache.entry(for: key("1"))) == nil)
    cache.store(entry("two"), for: key("1"))
    cache.store(entry("three"), for: key("1"))
    #expect(text(cache.entry(for: key("1"))) == "three")
    #expect(cache.counts.failed == 1)
  }

  @Test(arguments: [Data(), Data([1, 2, 3]), Data(repeating: 1, count: 17)])
  func `A damaged key is replaced, and nothing of before is found`(bytes: Data) throws {
    let folder = try Folder()
    DiskCache(folder: folder.path).store(entry("one"), for: key("1"))
    try bytes.write(to: folder.url.appending(path: "key"))
    let cache = DiskCache(folder: folder.path)
    #expect(text(cache.entry(for: key("1"))) == nil)
    cache.store(entry("two"), for: key("1"))
    #expect(text(DiskCache(folder: folder.path).entry(for: key("1"))) == "two")
    #expect(cache.counts.failed == 0)
  }

  @Test func `A key that others can read is replaced`() throws {
    let folder = try Folder()
    DiskCache(folder: folder.path).store(entry("one"), for: key("1"))
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: folder["key"])
    #expect(text(DiskCache(folder: folder.path).entry(for: key("1"))) == nil)
    #expect(try folder.mode(of: "key") == 0o600)
  }

  @Test func `An entry under another key's name is dropped`() throws {
    let folder = try Folder()
    let cache = DiskCache(folder: folder.path)
    cache.store(entry("one"), for: key("1"))
    let one = try #require(try entries(folder).first)
    cache.store(entry("two"), for: key("2"))
    let two = try #require(try entries(folder).first { $0 != one })
    try FileManager.default.removeItem(atPath: folder[two])
    try FileManager.default.moveItem(atPath: folder[one], toPath: folder[two])
    #expect(text(cache.entry(for: key("2"))) == nil)
    #expect(cache.counts.damaged == 1)
    #expect(try entries(folder) == [])
  }

  /// Thousands of files that are not as they were written: each is dropped, none is served.
  @Test func `A damaged entry is dropped and never served`() throws {
    let folder = try Folder()
    let cache = DiskCache(folder: folder.path, entryBytes: 1 << 20)
    var random = SeededRandom(seed: 20)
    let whole: [CacheEntry] = [
      entry("a body of some length", headers: ["ETag": "\"a\"", "Cache-Control": "max-age=60"]),
      entry((0..<400).map { _ in .random(in: 0 ... .max, using: &random) }),
      entry([]), .variants(CacheVariants(number: 1, names: ["accept", "x-key"])),
    ]
    for (index, entry) in whole.enumerated() {
      let key = key("\(index)")
      cache.store(entry, for: key)
      let name = try #require(try entries(folder).first)
      let path = folder[name]
      let bytes = Array(try Data(contentsOf: URL(filePath: path)))
      for round in 0..<1000 {
        let damaged = damage(bytes, round, &random)
        try Data(damaged).write(to: URL(filePath: path))
        let found = cache.entry(for: key)
        if damaged == bytes {
          #expect(found != nil)
        } else {
          #expect(found == nil, "round \(round)")
          #expect(!FileManager.default.fileExists(atPath: path))
        }
      }
      cache.removeEntry(for: key)
    }
    #expect(cache.counts.damaged > 3900)
    #expect(cache.counts.failed == 0)
  }

  private func damage(_ bytes: [UInt8], _ round: Int, _ random: inout SeededRandom) -> [UInt8] {
    var damaged = bytes
    let place = Int.random(in: 0..<bytes.count, using: &random)
    switch round % 7 {
    case 0: damaged[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    case 1: damaged = Array(bytes[..<place])
    case 2: damaged += (0...(place % 9)).map { _ in .random(in: 0 ... .max, using: &random) }
    case 3: damaged.remove(at: place)
    case 4: damaged.insert(.random(in: 0 ... .max, using: &random), at: place)
    case 5: for index in place..<min(place + 16, bytes.count) { damaged[index] = 0 }
    default:
      for index in place..<bytes.count { damaged[index] = .random(in: 0 ... .max, using: &random) }
    }
    return damaged
  }

  @Test func `An entry of another version, a folder or a pipe in its place is dropped`() throws {
    let folder = try Folder()
    let cache = DiskCache(folder: folder.path)
    cache.store(entry("one"), for: key("1"))
    let name = try #require(try entries(folder).first)
    var bytes = try Data(contentsOf: URL(filePath: folder[name]))
    bytes[6] = UInt8(ascii: "0")
    try bytes.write(to: URL(filePath: folder[name]))
    #expect(text(cache.entry(for: key("1"))) == nil)
    #expect(mkfifo(folder[name], 0o600) == 0)
    #expect(text(cache.entry(for: key("1"))) == nil)
    #expect(try entries(folder) == [])
    try FileManager.default.createDirectory(
      atPath: folder[name], withIntermediateDirectories: false)
    #expect(text(cache.entry(for: key("1"))) == nil)
    #expect(cache.counts.damaged == 3)
    cache.store(entry("two"), for: key("1"))
    #expect(cache.counts.failed == 1)
  }

  @Test func `The size is limited, and recently used entries stay longest`() throws {
    let folder = try Folder()
    let cache = DiskCache(folder: folder.path, bytes: 16 * 4096, entryBytes: 8 * 4096)
    try folder.write("not ours", to: "notes.entry")
    for index in 0..<200 {
      cache.store(entry("entry \(index)"), for: key("\(index)"))
      // The first one is used again and again.
      #expect(text(cache.entry(for: key("0"))) == "entry 0", "\(index)")
      #expect(try entries(folder).count <= 17, "\(index)")
    }
    #expect(text(cache.entry(for: key("199"))) == "entry 199")
    #expect(text(cache.entry(for: key("1"))) == nil)
    #expect(cache.counts.evicted >= 184)
    #expect(try folder.text(of: "notes.entry") == "not ours")
    #expect(cache.counts.damaged == 0)
  }

  @Test func `An entry that is too large is not stored, and removes the previous one`() throws {
    let folder = try Folder()
    let cache = DiskCache(folder: folder.path, bytes: 1 << 20, entryBytes: 5000)
    cache.store(entry("small"), for: key("1"))
    cache.store(entry([UInt8](repeating: 1, count: 5000)), for: key("1"))
    #expect(text(cache.entry(for: key("1"))) == nil)
    #expect(try entries(folder) == [])
    #expect(cache.counts.damaged == 0)
  }

  @Test func `What a killed process left unfinished goes when it is old`() throws {
    let folder = try Folder()
    let cache = DiskCache(folder: folder.path)
    cache.store(entry("one"), for: key("1"))
    let name = try #require(try entries(folder).first)
    for left in [".\(name).abc.new", ".\(name).def.new", ".vimrc.new"] {
      try folder.write("half", to: left)
    }
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -7200)],
      ofItemAtPath: folder[".\(name).abc.new"])
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -7200)], ofItemAtPath: folder[".vimrc.new"])
    DiskCache(folder: folder.path).store(entry("two"), for: key("2"))
    #expect(try !folder.names.contains(".\(name).abc.new"))
    #expect(try folder.names.contains(".\(name).def.new"))
    #expect(try folder.names.contains(".vimrc.new"))
  }

  @Test func `Many that use one folder at once never see half of anything`() async throws {
    let folder = try Folder()
    let path = folder["cache"]
    let wrong = Shared(Atomic<Int>(0))
    let found = Shared(Atomic<Int>(0))
    await withTaskGroup { group in
      for worker in 0..<8 {
        group.addTask {
          // Each with a key and a count of its own, as a process has them.
          let cache = DiskCache(folder: path, bytes: 24 * 4096, entryBytes: 1 << 16)
          var random = SeededRandom(seed: UInt64(worker))
          for _ in 0..<250 {
            let name = Int.random(in: 0..<10, using: &random)
            let size = Int.random(in: 1..<20_000, using: &random)
            cache.store(
              entry([UInt8](repeating: UInt8(name), count: size)), for: key("\(name)"))
            let asked = Int.random(in: 0..<10, using: &random)
            guard case .response(let response)? = cache.entry(for: key("\(asked)")) else {
              continue
            }
            found.value.add(1, ordering: .relaxed)
            let isWhole = response.body.withUnsafeBytes { bytes in
              bytes.allSatisfy { $0 == UInt8(asked) }
            }
            if !isWhole { wrong.value.add(1, ordering: .relaxed) }
          }
          #expect(cache.counts.failed == 0, "\(cache.problem ?? "")")
          #expect(cache.counts.damaged == 0)
        }
      }
    }
    #expect(wrong.value.load(ordering: .relaxed) == 0)
    #expect(found.value.load(ordering: .relaxed) > 0)
    let names = try FileManager.default.contentsOfDirectory(atPath: path)
    #expect(names.allSatisfy { $0 == "key" || $0.hasSuffix(".entry") })
  }
}
