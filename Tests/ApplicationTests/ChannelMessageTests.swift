import Foundation
import SearchSources
import Testing
import TextFormats

@testable import Application

@Suite struct ChannelMessageTests {
  private func line(_ text: String, url: String = "https://example.org/1") -> Substring {
    let post = JSONValue.members([
      "id": .string("1"), "source": .string("lemmy"), "url": .string(url),
      "author": .members(["handle": .string("amy")]), "text": .string(text),
      "created_at": .string("2026-11-20T09:00:00.000Z"),
    ])
    return String(decoding: post.bytes, as: UTF8.self)[...]
  }

  private func text(_ message: ChannelMessage, _ key: String) throws -> String {
    let object = try JSONSerialization.jsonObject(with: Data(message.body)) as? [String: Any]
    return try #require(object?[key] as? String)
  }

  @Test(arguments: [
    (
      "<!channel> & <https://evil.example|bank>",
      "&lt;!channel&gt; &amp; &lt;https://evil.example|bank&gt;"
    ),
    ("a\u{1B}[31mb\u{202E}c", "ab"),
  ])
  func `Slack's markup is escaped`(written: String, shown: String) throws {
    let message = try #require(ChannelMessage.messages(of: [line(written)], for: .slack).first)
    let text = try text(message, "text")
    #expect(text.hasPrefix("lemmy · amy · 2026-11-20 09:00\n\(shown)"), "\(text)")
    #expect(text.hasSuffix("\nhttps://example.org/1"))
  }

  @Test func `Discord's markup is escaped, and its mentions are off`() throws {
    let message = try #require(
      ChannelMessage.messages(
        of: [line("@everyone <@1> **b** [bank](https://evil.example) `x` ||y||")], for: .discord
      ).first)
    let text = try text(message, "content")
    #expect(
      text.contains(#"\<@1\> \*\*b\*\* \[bank\]\(https\://evil.example\) \`x\` \|\|y\|\|"#),
      "\(text)")
    #expect(text.hasSuffix("<https://example.org/1>"))
    #expect(
      String(decoding: message.body, as: UTF8.self).contains(#""allowed_mentions":{"parse":[]}"#))
  }

  @Test(arguments: ["@room", "@ROOM and @room", "İ @RoOm"])
  func `No Matrix message notifies a whole room`(written: String) throws {
    let message = try #require(ChannelMessage.messages(of: [line(written)], for: .matrix).first)
    #expect(try !text(message, "body").lowercased().contains("@room"))
  }

  @Test func `Signs of markup in an address are encoded`() throws {
    for service in [ChannelService.slack, .discord, .matrix] {
      let message = try #require(
        ChannelMessage.messages(of: [line("x", url: "https://a.example/?q=a|b><s>")], for: service)
          .first)
      let key = service == .slack ? "text" : service == .discord ? "content" : "body"
      #expect(try text(message, key).contains("https://a.example/?q=a%7Cb%3E%3Cs%3E"))
    }
  }

  @Test(arguments: ["javascript:alert(1)", "https://a b", ""])
  func `An unusable address is left out`(address: String) throws {
    for service in [ChannelService.slack, .discord, .matrix] {
      let message = try #require(
        ChannelMessage.messages(of: [line("x", url: address)], for: service).first)
      let key = service == .slack ? "text" : service == .discord ? "content" : "body"
      #expect(try text(message, key).hasSuffix("\nx"))
    }
  }

  @Test(arguments: ChannelService.all, ["a", "&", "*", "👩‍👩‍👧‍👦", "@room "])
  func `Every post is in one message that is as long as the service allows`(
    service: ChannelService, unit: String
  ) throws {
    // From short texts to some that are longer than a message may be.
    let lines = (1...60).map { line(String(repeating: unit, count: $0 * 35)) }
    let messages = ChannelMessage.messages(of: lines, for: service)
    #expect(messages.map(\.count).reduce(0, +) == 60)
    for message in messages {
      switch service {
      case .slack: #expect(try text(message, "text").utf16.count <= 4000)
      case .discord: #expect(try text(message, "content").utf16.count <= 2000)
      case .matrix: #expect(message.body.count <= 60_000)
      case .ntfy: #expect(message.body.count <= 4096)
      default: #expect(message.count <= 100)
      }
    }
  }

  @Test func `Credentials in braces are filled in, and doubled braces stay`() throws {
    let text = try credentials(in: #""https://a.example/{TOKEN}/{{x}}/{A_2}""#)
    #expect(text.names == ["TOKEN", "A_2"])
    #expect(text.filled(["TOKEN": "t", "A_2": "{TOKEN}"]) == "https://a.example/t/{x}/{TOKEN}")
  }

  @Test(arguments: ["{lower}", "{", "}", "{TOKEN", "{1A}", "{}"])
  func `Braces around anything else are refused`(text: String) {
    #expect(throws: DocumentError.self) { try credentials(in: "\"Bearer \(text)\"") }
  }

  private func credentials(in json: String) throws -> CredentialText {
    let document = try JSONDocument(reading: Array(json.utf8))
    return try CredentialText(document.root(quotingValues: false), expected: "a text")
  }
}
