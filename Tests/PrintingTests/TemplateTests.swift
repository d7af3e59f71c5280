import FoundationEssentials
import Printing
import SearchModel
import Testing

@Suite struct TemplateTests {
  private func printed(_ template: String, _ post: Post) throws -> String {
    Samples.written(by: TemplatePrinter(try PostTemplate(template)), [post])
  }

  @Test(arguments: [
    (
      "{{created_at}} {{author.handle}}: {{title}}",
      "2026-11-20T11:55:00.000Z ada@mastodon.social: On engines"
    ),
    ("{{#tags}}[{{.}}]{{/tags}}", "[#swiftlang][swift]"), ("{{tags}}", "#swiftlang, swift"),
    ("{{^also}}alone{{/also}}{{#also}}copied{{/also}}", "alone"),
    ("{{#title}}<{{title}}>{{/title}}{{^title}}-{{/title}}", "<On engines>"),
    ("{{ id }}{{! a comment }}", "10765432100123456789"),
    ("{{counts.likes}} {{sensitive}} {{future}}|", "3 false |"),
    ("{{#sensitive}}hidden{{/sensitive}}", ""), ("a } b { c", "a } b { c"),
    (
      "{{#tags}}{{#links}}{{.}}{{/links}};{{/tags}}", "https://example.org/a;https://example.org/a;"
    ),
  ])
  func `A template prints the fields that it names`(template: String, expected: String) throws {
    #expect(try printed(template, try Samples.full()) == expected + "\n")
  }

  @Test func `Nothing is escaped, and control codes are left out`() throws {
    #expect(try printed("{{text}}", try Samples.bare(text: "<b>&\u{1B}[31m\"")) == "<b>&\"\n")
  }

  @Test(arguments: [
    ("{{nope}}", "unknown field 'nope'"), ("{{author}}", "unknown field 'author'"),
    ("{{#tags}}", "'{{#tags}}' without '{{/tags}}'"),
    ("{{/tags}}", "'{{/tags}}' without '{{#tags}}'"),
    ("{{#tags}}{{/links}}", "'{{/links}}' where '{{/tags}}' is expected"),
    ("a {{id", "'{{' without '}}'"),
  ])
  func `A template that cannot be read says why`(template: String, reason: String) {
    let error = #expect(throws: TemplateError.self) { try PostTemplate(template) }
    #expect(error?.reason == reason)
  }
}
