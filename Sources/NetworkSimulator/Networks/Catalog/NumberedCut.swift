/// A page of a listing whose pages have numbers from 1.
struct NumberedCut {
  let cut: PageCut<CorpusPost>
  let number: Int
  let size: Int
  /// The number of the next page; nil on the last one.
  let next: Int?

  var shown: [CorpusPost] { cut.shown }
  var total: Int { cut.total }
  var pages: Int { (total + size - 1) / size }
}

extension CatalogCall {
  /// Returns the page that the parameters name.
  ///
  /// - Parameters:
  ///   - keys: The names of the parameters of the number and of the size.
  ///   - size: The size that counts if there is none.
  ///   - namesNext: Whether the network says that there is a next page.
  func numberedPage(
    _ found: [CorpusPost], by keys: (number: String, size: String), size: Int,
    namesNext: Bool = true
  ) -> NumberedCut {
    let size = integer(keys.size, default: size)
    let number = integer(keys.number, default: 1)
    let start = (number - 1).multipliedReportingOverflow(by: size)
    let page = page(
      found, at: start.overflow ? .max / 2 : start.partialValue, size: size, namesNext: namesNext)
    let isStuck = world.paging == .selfCursor && number > 1
    return NumberedCut(
      cut: page, number: number, size: size,
      next: page.next == nil ? nil : isStuck ? number : number + 1)
  }
}
