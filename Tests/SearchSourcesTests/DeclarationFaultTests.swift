import SearchModel
import Testing
import TextFormats

@testable import SearchSources

/// Every mistake in a declaration is named: at which key, and what was expected.
@Suite struct DeclarationFaultTests {
  private func fault(_ text: String) throws -> DocumentError? {
    let entry = try JSONDocument(reading: Array(text.utf8)).root(quotingValues: false)
    do throws(DocumentError) {
      _ = try JSONNetwork("forum", reading: entry)
      return nil
    } catch {
      return error
    }
  }

  private static let fields = #""fields": {"id": "id", "text": "text"}"#

  @Test(arguments: [
    (#"{}"#, "url", "{query}"),
    (#"{"kind": "xml"}"#, "kind", "one of json, feed"),
    (#"{"url": 5}"#, "url", "an address"),
    (#"{"url": "forum.example?q={query}"}"#, "url", "https://"),
    (#"{"url": "ftp://forum.example/?q={query}"}"#, "url", "https://"),
    (#"{"url": "https://u:p@forum.example/?q={query}"}"#, "url", "https://"),
    (#"{"url": "https://{FORUM_HOST}/?q={query}"}"#, "url", "https://"),
    (#"{"url": "https://forum.example/?q={query}#x"}"#, "url", "https://"),
    (#"{"url": "https://forum.example/?q=a b{query}"}"#, "url", "%20"),
    (#"{"url": "https://forum.example/?q={quer}"}"#, "url", "found {quer}"),
    (#"{"url": "https://forum.example/?q={query"}"#, "url", "closing brace"),
    (#"{"url": "https://forum.example/?q={query}&s={since:year}"}"#, "url", "one of rfc3339, date"),
    (#"{"url": "https://forum.example/{since}?q={query}"}"#, "url", "after the ?"),
    (#"{"url": "https://forum.example/?q={query}&api_key=abc"}"#, "url", "no secrets"),
    (
      #"{"url": "https://forum.example/", \#(fields)}"#, "url", "{query}, {words}, {terms} or {tag}"
    ),
    (#"{"url": "https://a.example/?q={query}"}"#, "fields", "an object"),
    (
      #"{"url": "https://a.example/?q={query}", "fields": {"text": "t"}}"#, "fields",
      "an id or a url"
    ),
    (
      #"{"url": "https://a.example/?q={query}", "fields": {"id": "t"}}"#, "fields",
      "a text or a title"
    ),
    (
      #"{"url": "https://a.example/?q={query}", "fields": {"id": "a..b", "text": "t"}}"#,
      "fields.id",
      "a path"
    ),
    (
      #"{"url": "https://a.example/?q={query}", "fields": {"id": 5, "text": "t"}}"#, "fields.id",
      "a path such as user.name"
    ),
    (
      #"{"url": "https://a.example/?q={query}", "fields": {"ids": "i", "text": "t"}}"#,
      "fields.ids",
      "unknown key (known: id, url"
    ),
    (
      #"{"url": "https://a.example/?q={query}", "fields": {"id": "i", "text": {"text": "t"}}}"#,
      "fields.text.each", "the path of a list"
    ),
    (
      #"{"url": "https://a.example/?q={query}", "fields": {"id": "i", "text": "{a}{?x}"}}"#,
      "fields.text", "a placeholder in each optional part"
    ),
    (#"{"url": "https://a.{lang}.example/?q={query}"}"#, "url", "the default of {lang}"),
    (#"{"url": "https://{lang}.{lang}/?q={query}", "language": "en"}"#, "url", "https://"),
    (#"{"url": "{server}x?q={query}"}"#, "url", "https://"),
    (#"{"url": "https://{lang}.example/?q={query}", "language": "E"}"#, "language", "codes"),
    (
      #"{"url": "https://{lang}.example/?q={query}", "language": "en", "languages": ["a/b"]}"#,
      "languages[0]", "language codes"
    ),
    (#"{"adress": "x"}"#, "adress", "unknown key (known: kind, url"),
  ])
  func `A mistake is named`(text: String, key: String, words: String) throws {
    let fault = try #require(try fault(text))
    #expect(fault.path == key)
    #expect(fault.message.contains(words), "\(fault.message)")
    #expect(!fault.message.contains("\n"))
  }

  @Test(arguments: [
    "key", "api_key", "api-key", "apikey", "token", "access_token", "auth", "auth_token", "secret",
    "client_secret", "password", "Access_Token",
  ])
  func `The address holds no value of a secret, and may name a variable`(name: String) throws {
    let written = #"{"url": "https://forum.example/?q={query}&\#(name)=abc"}"#
    #expect(try #require(try fault(written)).message.contains("no secrets"))
    let named = #"{"url": "https://forum.example/?q={query}&\#(name)={FORUM_TOKEN}"}"#
    // What it lacks is something else.
    #expect(try #require(try fault(named)).path == "fields")
  }

  @Test(arguments: [
    (#""items": 5"#, "items", "a path"), (#""method": "PUT""#, "method", "one of GET, POST"),
    (#""method": "GET", "form": {"a": "b"}"#, "method", "POST"),
    (#""body": {}, "form": {"a": "b"}"#, "body", "not both"),
    (#""form": {"a": 5}"#, "form.a", "a string"),
    (#""form": {"password": "x"}"#, "form.password", "no secrets"),
    (#""body": {"a": {"token": "abc"}}"#, "body.a.token", "no secrets"),
    (#""body": ["{x}"]"#, "body[0]", "found {x}"),
    (#""headers": ["a"]"#, "headers", "an object"),
    (#""headers": {"Authorization": "Bearer abc"}"#, "headers.Authorization", "no secrets"),
    (#""headers": {"X-Auth-Token": "abc"}"#, "headers.X-Auth-Token", "no secrets"),
    (#""headers": {"Host": "x"}"#, "headers.Host", "sets this header itself"),
    (#""headers": {"a b": "x"}"#, "headers.a b", "the name of a header"),
    (#""headers": {"A": "x\r\nB: y"}"#, "headers.A", "plain ASCII"),
    (#""headers": {"A": "{query}"}"#, "headers.A", "names of credentials"),
    (#""dates": "unix""#, "dates", "one of auto, epoch-seconds"),
    (#""html": ["url"]"#, "html[0]", "text and title"),
    (#""anonymous": "yes""#, "anonymous", "true"),
    (#""requests_per_minute": 0"#, "requests_per_minute", "from 1"),
    (#""page": 5"#, "page", "an object"), (#""page": {"by": "token"}"#, "page.by", "one of page"),
    (#""page": {"by": "page"}"#, "page.by", "needs {page}"),
    (#""page": {"size": 0}"#, "page.size", "a number of posts"),
    (#""page": {"size": [5, 1]}"#, "page.size", "a minimum and a maximum"),
    (#""page": {"first": 1}"#, "page.first", "{page}"),
    (#""page": {"most": 100000}"#, "page.most", "from 1 to 1000"),
    (#""page": {"pagse": "x"}"#, "page.pagse", "unknown key"),
    (#""items": "a", "items": "b""#, "items", "duplicate"),
    (#""page": {"start": "*"}"#, "page.start", "{cursor}"),
    (#""page": {"ceiling": 0}"#, "page.ceiling", "from 1"),
    (#""items_optional": 1"#, "items_optional", "true"), (#""skip": [5]"#, "skip[0]", "a path"),
    (#""syntax": {}"#, "syntax", "{terms}"), (#""match": "some""#, "match", "one of trusted"),
    (#""languages": ["en"]"#, "languages", "{lang}"), (#""language": "en""#, "language", "{lang}"),
    (#""newest_first": "mostly""#, "newest_first", "roughly"),
    (#""pace": {"requests": 0}"#, "pace.requests", "from 1"),
    (#""pace": {}, "requests_per_minute": 5"#, "requests_per_minute", "not both"),
    (#""late_hours": -1"#, "late_hours", "from 0"),
    (#""entities": ["id"]"#, "entities[0]", "title"),
    (#""errors": {}"#, "errors", "a list"), (#""errors": [{}]"#, "errors[0].means", "one of none"),
    (#""errors": [{"means": "none"}]"#, "errors[0]", "other than 200"),
    (#""errors": [{"means": "later", "status": 99}]"#, "errors[0].status", "a status"),
    (#""errors": [{"means": "later", "is": "x", "status": 400}]"#, "errors[0].is", "path"),
    (#""errors": [{"means": "later", "path": "a", "is": {}}]"#, "errors[0].is", "true or false"),
    (#""about": {"titel": "x"}"#, "about.titel", "unknown key"),
    (#""about": {"unsure": "x"}"#, "about.unsure", "a list"),
  ])
  func `A mistake in an optional key is reported`(
    members: String, key: String, words: String
  ) throws {
    let fault = try #require(
      try fault(#"{"url": "https://a.example/?q={query}", \#(Self.fields), \#(members)}"#))
    #expect(fault.path == key)
    #expect(fault.message.contains(words), "\(fault.message)")
    #expect(!fault.message.contains("abc"))
  }

  @Test func `A cursor needs the path of the next one`() throws {
    let text = #"{"url": "https://a.example/?q={query}&c={cursor}", \#(Self.fields)}"#
    #expect(try fault(text)?.path == "page.next")
    let both = #"{"url": "https://a.example/?q={query}&p={page}&o={offset}", \#(Self.fields)}"#
    #expect(try fault(both)?.path == "page.by")
  }
}
