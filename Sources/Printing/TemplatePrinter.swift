internal import FoundationEssentials
package import SearchModel
internal import TextFormats

/// Prints each post by a template of the user's, on lines of its own.
package struct TemplatePrinter: PostPrinter {
  private let template: PostTemplate

  package init(_ template: PostTemplate) { self.template = template }

  package func bytes(of posts: ArraySlice<Post>, after previous: Post?) -> [UInt8] {
    var bytes: [UInt8] = []
    posts.readEach(askingAhead: true) { post in
      template.append(post, to: &bytes)
      bytes.append(0x0A)
    }
    return bytes
  }

  package func ending(of result: RunResult) -> [UInt8] { [] }
}

/// A template for posts: a part of Mustache, without HTML escaping.
///
/// `{{path}}` is the value of a field. `{{#path}}…{{/path}}` is printed once for each value of a list, which
/// `{{.}}` names, or once where any other field has a value. `{{^path}}…{{/path}}` is printed where there is
/// no value. `{{! …}}` is a comment.
package struct PostTemplate: Hashable, Sendable {
  private indirect enum Part: Hashable {
    case text(String)
    case value(PostField)
    /// The current value of a list.
    case element
    case section(PostField, [Part])
    case inverted(PostField, [Part])
  }

  private let parts: [Part]
  /// A field in single braces, such as `{id}`, which is printed as it is; nil without one.
  package let singleBraced: String?

  package init(_ text: String) throws(TemplateError) {
    var rest = text[...]
    parts = try Self.parse(&rest, until: nil)
    singleBraced = Self.singleBraced(in: parts)
  }

  private static func singleBraced(in parts: [Part]) -> String? {
    for part in parts {
      switch part {
      case .text(let text):
        for piece in text.split(separator: "{").dropFirst(text.hasPrefix("{") ? 0 : 1) {
          guard let end = piece.firstIndex(of: "}") else { continue }
          let name = trimmed(piece[..<end])
          if PostField.at(path: name) != nil { return "{\(piece[..<end])}" }
        }
      case .section(_, let parts), .inverted(_, let parts):
        if let found = singleBraced(in: parts) { return found }
      case .value, .element: break
      }
    }
    return nil
  }

  private static func parse(
    _ rest: inout Substring, until name: String?
  ) throws(TemplateError) -> [Part] {
    var parts: [Part] = []
    while let open = rest.firstRange(of: "{{") {
      if open.lowerBound > rest.startIndex {
        parts.append(.text(String(rest[..<open.lowerBound])))
      }
      guard let close = rest[open.upperBound...].firstRange(of: "}}") else {
        throw TemplateError(reason: "'{{' without '}}'")
      }
      let tag = rest[open.upperBound..<close.lowerBound]
      rest = rest[close.upperBound...]
      let path = trimmed("#^/!".contains(tag.first ?? " ") ? tag.dropFirst() : tag)
      switch tag.first {
      case "!": continue
      case "/":
        guard path == name else {
          throw TemplateError(
            reason: name.map { "'{{/\(path)}}' where '{{/\($0)}}' is expected" }
              ?? "'{{/\(path)}}' without '{{#\(path)}}'")
        }
        return parts
      case "#": parts.append(.section(try field(path), try parse(&rest, until: path)))
      case "^": parts.append(.inverted(try field(path), try parse(&rest, until: path)))
      default: parts.append(path == "." ? .element : .value(try field(path)))
      }
    }
    if let name { throw TemplateError(reason: "'{{#\(name)}}' without '{{/\(name)}}'") }
    if !rest.isEmpty { parts.append(.text(String(rest))) }
    return parts
  }

  private static func field(_ path: String) throws(TemplateError) -> PostField {
    guard let field = PostField.at(path: path) else {
      throw TemplateError(reason: "unknown field '\(path)'")
    }
    return field
  }

  private static func trimmed(_ text: Substring) -> String {
    let start = text.drop { $0 == " " }
    return String(start.prefix { $0 != " " })
  }

  /// Appends a post. Values are stripped of control codes as for a terminal.
  func append(_ post: PostValues, to bytes: inout [UInt8]) {
    append(parts, post, element: nil, to: &bytes)
  }

  private func append(
    _ parts: [Part], _ post: PostValues, element: String?, to bytes: inout [UInt8]
  ) {
    for part in parts {
      switch part {
      case .text(let text): bytes.append(text)
      case .element: if let element { append(value: element, to: &bytes) }
      case .value(let field):
        switch field.value(in: post) {
        case .string(let text): append(value: text, to: &bytes)
        case .date(let date): RFC3339.append(date, to: &bytes)
        case .integer(let number): bytes.append(String(number))
        case .boolean(let value): bytes.append(value ? "true" : "false")
        case .list(let texts): append(value: texts.joined(separator: ", "), to: &bytes)
        case nil: break
        }
      case .section(let field, let parts):
        switch field.value(in: post) {
        case .list(let texts):
          for text in texts { append(parts, post, element: text, to: &bytes) }
        case nil, .boolean(false): break
        case .string, .date, .integer, .boolean:
          append(parts, post, element: element, to: &bytes)
        }
      case .inverted(let field, let parts):
        switch field.value(in: post) {
        case nil, .boolean(false): append(parts, post, element: element, to: &bytes)
        case .string, .date, .integer, .boolean, .list: break
        }
      }
    }
  }

  private func append(value: String, to bytes: inout [UInt8]) {
    ControlCodes.append(value, isSingleLine: false, to: &bytes)
  }
}

/// A template that cannot be read.
package struct TemplateError: Error, Hashable {
  /// The fault, in lower case.
  package let reason: String
}
