internal import QueuedHTTP
internal import SearchModel
internal import TextFormats

/// An address with placeholders, such as `https://forum.example/search?q={query}&after={since}`.
///
/// A parameter of its query is omitted if a placeholder in it has no value.
struct AddressTemplate: Sendable {
  /// The scheme, host and port of requests.
  enum Origin: Sendable {
    /// Users name a server.
    case none
    case server(ServerAddress)
    /// A server for each language, one of which is the usual one.
    case byLanguage(usual: ServerAddress, before: String, after: String)
  }

  struct Parameter: Sendable {
    /// The name with its `=`, as it is sent.
    let name: String
    let value: RequestTemplate
  }

  let origin: Origin
  let path: RequestTemplate
  let parameters: [Parameter]

  /// The address of a network in Swift, in which nothing but the values is encoded.
  init(_ origin: Origin, path: RequestTemplate, parameters: [Parameter]) {
    self.origin = origin
    self.path = path
    self.parameters = parameters
  }

  var slots: [Placeholder] {
    let host =
      if case .byLanguage = origin { [Placeholder(.language)] } else { [] as [Placeholder] }
    return host + path.slots + parameters.flatMap(\.value.slots)
  }

  /// The server that is searched unless users name another; nil if they must.
  var usualServer: ServerAddress? {
    switch origin {
    case .none: nil
    case .server(let server): server
    case .byLanguage(let server, _, _): server
    }
  }

  /// The server of requests to a configured one: another language's, if there is one for each.
  func server(for server: ServerAddress, language: String?) -> ServerAddress {
    guard case .byLanguage(let usual, let before, let after) = origin, server == usual,
      let language, let other = ServerAddress(before + language + after)
    else { return server }
    return other
  }

  /// Returns the address on a server; nil if a placeholder of its path has no value.
  func address(on server: ServerAddress, _ value: (Placeholder) -> String?) -> String? {
    func encoded(_ slot: Placeholder) -> String? { value(slot).map(PercentEncoding.encode) }
    guard let path = self.path.filled(encoded) ?? (self.path.requiredSlots.isEmpty ? "" : nil)
    else { return nil }
    var url: [UInt8] = []
    url.reserveCapacity(Self.usualLength)
    url += server.text.utf8
    url += path.utf8
    var mark = UInt8(ascii: "?")
    for parameter in parameters {
      guard let value = parameter.value.filled(encoded) else { continue }
      url.append(mark)
      url += parameter.name.utf8
      url += value.utf8
      mark = UInt8(ascii: "&")
    }
    return String(decoding: url, as: UTF8.self)
  }

  /// The room that most addresses fit into.
  private static let usualLength = 256
}

extension AddressTemplate {
  private static let expected = "an address such as https://forum.example/search?q={query}"
  private static let server = "{server}"
  private static let language = "{lang}"

  /// - Parameter usualLanguage: The language of the host that has `{lang}` in it.
  init(_ entry: JSONEntry, usualLanguage: String?) throws(DocumentError) {
    let text = try entry.string(expected: "an address with {query} in it")
    // What is in braces, such as the pattern of a date, is encoded.
    let fixed = text[...].indicesOutsideBraces.map { text[$0] }
    guard !fixed.contains(" ") else {
      throw entry.fault(expected: "an address with + or %20 in place of each blank")
    }
    guard !fixed.contains("#"), text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else {
      throw entry.fault(expected: Self.expected)
    }
    // One in braces begins an optional part of the path.
    let mark = text[...].indicesOutsideBraces.first { text[$0] == "?" }
    let address = text[..<(mark ?? text.endIndex)]
    let tail: Substring
    if address.hasPrefix(Self.server) {
      origin = .none
      tail = address.dropFirst(Self.server.count)
      guard tail.isEmpty || tail.hasPrefix("/") else { throw entry.fault(expected: Self.expected) }
    } else {
      guard let separator = address.firstRange(of: "://") else {
        throw entry.fault(expected: Self.expected)
      }
      let slash = address[separator.upperBound...].firstIndex(of: "/") ?? address.endIndex
      origin = try Self.origin(address[..<slash], usualLanguage, at: entry)
      tail = address[slash...]
    }
    path = try RequestTemplate(tail, at: entry)
    for slot in path.requiredSlots where slot.isOptional && slot.credentialName == nil {
      throw entry.fault(expected: "optional placeholders only after the ?")
    }
    parameters =
      try mark.map { mark throws(DocumentError) in
        try Self.parameters(text[text.index(after: mark)...], at: entry)
      } ?? []
  }

  private static func origin(
    _ text: Substring, _ usualLanguage: String?, at entry: JSONEntry
  ) throws(DocumentError) -> Origin {
    guard let range = text.firstRange(of: language) else {
      guard !text.contains("{"), let server = ServerAddress(String(text)) else {
        throw entry.fault(expected: expected)
      }
      return .server(server)
    }
    guard let usualLanguage else {
      throw entry.fault(expected: "language, which is the default of {lang} in the host")
    }
    let before = String(text[..<range.lowerBound])
    let after = String(text[range.upperBound...])
    guard !before.contains("{"), !after.contains("{"),
      let usual = ServerAddress(before + usualLanguage + after)
    else { throw entry.fault(expected: expected) }
    return .byLanguage(usual: usual, before: before, after: after)
  }

  private static func parameters(
    _ text: Substring, at entry: JSONEntry
  ) throws(DocumentError) -> [Parameter] {
    try text.splitOutsideBraces(at: "&").map { parameter throws(DocumentError) in
      let equals = parameter.firstIndex(of: "=").map(parameter.index(after:))
      let name = parameter[..<(equals ?? parameter.startIndex)]
      // A name with a placeholder is a part of the template.
      let start = name.contains("{") ? parameter.startIndex : name.endIndex
      let value = try RequestTemplate(parameter[start...], at: entry)
      if value.slots.isEmpty, SecretNames.isParameter(String(parameter)) {
        throw entry.fault(SecretNames.advice)
      }
      return Parameter(name: String(parameter[..<start]), value: value)
    }
  }
}

extension Substring {
  /// The places of characters that belong to no placeholder and no optional part.
  fileprivate var indicesOutsideBraces: [Index] {
    var places: [Index] = []
    var depth = 0
    var place = startIndex
    while place < endIndex {
      let next = index(after: place)
      let isDoubled = depth == 0 && next < endIndex && self[next] == self[place]
      switch self[place] {
      case "{", "}":
        // A doubled brace is a character like any other.
        if isDoubled { place = next } else { depth += self[place] == "{" ? 1 : -1 }
      default: if depth == 0 { places.append(place) }
      }
      place = index(after: place)
    }
    return places
  }

  /// The parts between separators that are not in braces, without empty ones.
  fileprivate func splitOutsideBraces(at separator: Character) -> [Substring] {
    var parts: [Substring] = []
    var start = startIndex
    for place in indicesOutsideBraces where self[place] == separator {
      parts.append(self[start..<place])
      start = index(after: place)
    }
    parts.append(self[start...])
    return parts.filter { !$0.isEmpty }
  }
}
