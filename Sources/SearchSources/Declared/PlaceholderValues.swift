internal import SearchModel

/// What the placeholders stand for in the request for one page.
struct PlaceholderValues {
  let page: PageRequest
  let place: DeclaredPlace
  let paging: DeclaredPaging
  let credentialNames: [String]

  /// The value; nil where there is none.
  func text(of placeholder: Placeholder) -> String? {
    switch placeholder {
    // As it was typed: the declaration does not describe the network's own language.
    case .query:
      return page.query.isRaw
        ? page.query.text : page.split.remote.map(\.description).joined(separator: " ")
    case .words: return SearchLanguage.wordsOnly.text(of: page.split)
    case .tag: return page.split.onlyTag
    case .page:
      guard case .page(let first) = paging.way else { return nil }
      return String(first + place.pages)
    case .offset: return String(paging.offset(of: place))
    case .limit: return String(place.size)
    case .cursor: return place.mark.isEmpty ? nil : place.mark
    case .since(let spelling): return page.since.map { spelling.text(of: $0, .down) }
    case .until(let spelling): return page.until.map { spelling.text(of: $0, .up) }
    case .credential(let name):
      guard let index = credentialNames.firstIndex(of: name),
        let values = page.credentials?.values, values.indices.contains(index)
      else { return nil }
      return values[index]
    }
  }
}
