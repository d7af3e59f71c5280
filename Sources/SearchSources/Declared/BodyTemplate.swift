internal import QueuedHTTP
internal import TextFormats

/// The body of a request with placeholders: JSON, or a form.
///
/// A member or item is left out where a placeholder in it has no value. In JSON a text that is nothing
/// but a placeholder for a number becomes one.
indirect enum BodyTemplate: Hashable, Sendable {
  /// A value of JSON.
  enum Value: Hashable, Sendable {
    case plain(JSONValue)
    case text(Template<Placeholder>)
    case array([Value])
    case object([Member])

    struct Member: Hashable, Sendable {
      let key: String
      let value: Value
    }
  }

  /// An item of a form.
  struct Item: Hashable, Sendable {
    let name: String
    let value: Template<Placeholder>
  }

  case json(Value)
  case form([Item])

  /// Reads a template of JSON.
  init(json value: JSONValue, at key: String) throws(DeclarationFault) {
    self = .json(try Value(value, at: key))
  }

  /// Reads the items of a form.
  init(form members: [(name: String, text: String)], at key: String) throws(DeclarationFault) {
    self = .form(
      try members.map { name, text throws(DeclarationFault) in
        let place = "\(key).\(name)"
        let value = try Template(text, at: place) { slot throws(DeclarationFault) in
          try Placeholder(slot, at: place)
        }
        if value.slots.isEmpty, SecretNames.isParameter("\(name)=\(text)") {
          throw DeclarationFault(place, SecretNames.refusal)
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
  init(_ value: JSONValue, at key: String) throws(DeclarationFault) {
    switch value {
    case .null, .bool, .number: self = .plain(value)
    case .string(let text):
      self = .text(
        try Template(text, at: key) { slot throws(DeclarationFault) in
          try Placeholder(slot, at: key)
        })
    case .array(let elements):
      var values: [Self] = []
      for (index, element) in elements.enumerated() {
        values.append(try Self(element, at: "\(key).\(index)"))
      }
      self = .array(values)
    case .object(let members):
      self = .object(
        try members.map { member throws(DeclarationFault) in
          let place = "\(key).\(member.key)"
          if case .string(let text) = member.value, !text.contains("{"),
            SecretNames.isParameter("\(member.key)=\(text)")
          {
            throw DeclarationFault(place, SecretNames.refusal)
          }
          return Member(key: member.key, value: try Self(member.value, at: place))
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
