internal import SearchEngine
internal import SearchModel
internal import SearchSources

/// How much a run may cost, as people write it: `500`, or `x=500,youtube=300`.
enum CostArgument {
  static let expected = "a whole number, or one for each of some sources: x=500,youtube=300"

  static func parse(_ text: String, in catalogue: SourceCatalogue) -> CostBounds? {
    var bounds = CostBounds()
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let words = part.split(separator: "=", omittingEmptySubsequences: false).map(\.trimmingBlanks)
      guard let last = words.last, let number = Int(last), (0...1_000_000_000).contains(number)
      else { return nil }
      switch words.count {
      case 1 where bounds.general == nil: bounds.general = number
      case 2 where catalogue.named(words[0]) != nil:
        bounds.bySource[SourceName(rawValue: words[0])] = number
      case _: return nil
      }
    }
    return bounds
  }
}
