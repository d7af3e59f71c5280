internal import TextFormats

/// Who wrote a feed or an entry, by which of several elements says it.
struct FeedAuthors {
  private var own: [FeedPerson] = []
  private var dublinCore: [FeedPerson] = []
  private var podcast: [FeedPerson] = []
  private var editor: [FeedPerson] = []

  private static let limit = 20

  var best: [FeedPerson] {
    [own, dublinCore, podcast, editor].first { !$0.isEmpty } ?? []
  }

  /// Takes an element; false when it is not about an author.
  mutating func take(_ element: XMLElement, base: String?) -> Bool {
    switch element.key {
    case "author": add(person(element, base: base), to: &own)
    case "dc:creator", "dc:author", "creator": add(person(element, base: base), to: &dublinCore)
    case "itunes:author": add(person(element, base: base), to: &podcast)
    case "managingeditor": add(person(element, base: base), to: &editor)
    case _: return false
    }
    return true
  }

  private func add(_ person: FeedPerson?, to people: inout [FeedPerson]) {
    guard let person, !people.contains(person), people.count < Self.limit else { return }
    people.append(person)
  }

  private func person(_ element: XMLElement, base: String?) -> FeedPerson? {
    let name = element.child("name") ?? element.child("foaf:name")
    let email = element.child("email")
    let address =
      element.child("uri") ?? element.child("url") ?? element.child("homepage")
      ?? element.child("foaf:homepage")
    guard name != nil || email != nil || address != nil else {
      return FeedPerson(Entities.decode(element.text))
    }
    let base = FeedText.base(of: element, within: base)
    return FeedPerson(
      name: name.map { $0.text.asName }, email: email.map { String($0.text.trimmed) },
      url: address.flatMap {
        WebAddress.resolved($0["rdf:resource"] ?? String($0.text.trimmed), against: base)
      })
  }
}
