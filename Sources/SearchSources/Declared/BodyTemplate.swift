internal import QueuedHTTP
internal import TextFormats

/// The body of a request with placeholders: JSON, or a form.
///
/// A member or item is omitted if a placeholder in it has no value. In JSON a string that consists of a
/// placeholder for a number becomes a number.
indirect enum BodyTemplate: Sendable {
  /// A value of JSON.
  enum Value: Sendable {
    case plain(JSONValue)
    case text(RequestTemplate)
    case array([Value])
    case object([Member])

    struct Member: Sendable {
      let key: String
      let value: Value
    }
  }

  /// An item of a form.
  struct Item: Sendable {
    let name: String
    let value: RequestTemplate
  }

  case json(Value)
  case form([Item])

  /// Reads a template of JSON.
  init(json entry: JSONEntry) throws(DocumentError) { self = .json(try Value(entry)) }

  /// Reads the items of a form.
  init(form: JSONEntry) throws(DocumentError) {
    let members = try form.members(expected: #"an object such as {"q": "{query}"}"#)
    self = .form(
      try members.map { name, entry throws(DocumentError) in
        let text = try entry.string(expected: "a string", allowsEmpty: true)
        guard !name.isEmpty else { throw entry.fault(expected: "a name") }
        let value = try RequestTemplate(text, at: entry)
        if value.slots.isEmpty, SecretNames.isParameter("\(name)=\(text)") {
          throw entry.fault(SecretNames.advice)
        }
        return Item(name: name, value: value)
      })
  }

  var slots: [Placeholder] {
    switch self {
    case .json(let value): value.slots
    case .form(let items): items.flatMap(\.value.slots)
    }
  }

  /// Makes the filled template the body of a request.
  func fill(_ request: inout HTTPRequest, _ value: (Placeholder) -> String?) {
    switch self {
    case .json(let template):
      request.body = (template.filled(value) ?? .object([])).bytes
      request.headers["Content-Type"] = "application/json"
    case .form(let items):
      request.setForm(
        items.compactMap { item in item.value.filled(value).map { (item.name, $0) } })
    }
  }
}

extension BodyTemplate.Value {
  init(_ entry: JSONEntry) throws(DocumentError) {
    switch entry.value {
    case .null, .bool, .number: self = .plain(entry.value)
    case .string(let text):
      self = .text(try RequestTemplate(text, at: entry))
    case .array:
      self = .array(
        try entry.elements(expected: "a list").map { element throws(DocumentError) in
          try Self(element)
        })
    case .object:
      self = .object(
        try entry.members(expected: "an object").map { key, member throws(DocumentError) in
          if case .string(let text) = member.value, !text.contains("{"),
            SecretNames.isParameter("\(key)=\(text)")
          {
            throw member.fault(SecretNames.advice)
          }
          return Member(key: key, value: try Self(member))
        })
    }
  }

  var slots: [Placeholder] {
    switch self {
    case .plain: []
    case .text(let template): template.slots
    case .array(let values): values.flatMap(\.slots)
    case .object(let members): members.flatMap(\.value.slots)
    }
  }

  func filled(_ value: (Placeholder) -> String?) -> JSONValue? {
    switch self {
    case .plain(let value): return value
    case .text(let template):
      guard let text = template.filled(value) else { return nil }
      return template.loneSlot?.isNumber == true ? .number(text) : .string(text)
    case .array(let values): return .array(values.compactMap { $0.filled(value) })
    case .object(let members):
      return .object(
        members.compactMap { member in
          member.value.filled(value).map { JSONMember(member.key, $0) }
        })
    }
  }
}
