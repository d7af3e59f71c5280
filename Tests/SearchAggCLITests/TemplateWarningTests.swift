import Application
import SearchAggCLI
import TestSupport
import Testing

@Suite struct TemplateWarningTests {
  @Test(
    arguments: [
      ("{id}", "{id}"), ("{{url}} by { author.handle }", "{ author.handle }"),
      ("{{#tags}}{text}{{/tags}}", "{text}"), ("{{id}}", nil), ("{\"key\": {{likes}}}", nil),
      ("{nothing}", nil), ("id}", nil), ("id} {{url}}", nil),
    ] as [(String, String?)])
  func `A field in single braces is warned about once`(template: String, name: String?) async throws
  {
    let text = template.contains("likes") ? "{\"key\": {{counts.likes}}}" : template
    let outcome = try await TestWorld().run(
      "run", "a", "b", "--dry-run", "--source", "lobsters", "--template", text)
    #expect(outcome.status == .success, "\(outcome.errors)")
    let lines = outcome.errors.split(separator: "\n").filter { $0.contains("--template") }
    #expect(lines.count == (name == nil ? 0 : 1))
    if let name { #expect(lines.first?.contains("prints \(name) as it is") == true) }
  }
}
