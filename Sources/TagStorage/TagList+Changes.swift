package import SearchModel

extension TagList {
  /// Whether a query is stored.
  package func contains(_ query: Query) -> Bool { tags.contains { $0.query == query } }

  /// Returns the list with those of `new` behind it that are not there, and these.
  ///
  /// A list of strings stays one for as long as no tag has settings.
  package func adding(missingOf new: [SearchTag]) -> (list: TagList, added: [SearchTag]) {
    var known = Set(tags.map(\.query))
    let added = new.filter { known.insert($0.query).inserted }
    var list = self
    if form == .list, added.contains(where: \.hasSettings) { list = asObject }
    list.tags += list.form == .list ? added.map(\.asString) : added.map(\.asObject)
    return (list, added)
  }

  /// Returns the list with all of `new` behind it, and these; refuses if one is there.
  package func adding(
    _ new: [SearchTag]
  ) throws(TagChangeRefusal) -> (list: TagList, added: [SearchTag]) {
    let known = Set(tags.map(\.query))
    let present = new.map(\.query).filter { known.contains($0) }
    guard present.isEmpty else { throw .present(present) }
    return adding(missingOf: new)
  }

  /// Returns the list without those of `queries` that are there, and these.
  package func removing(presentOf queries: [Query]) -> (list: TagList, removed: [Query]) {
    let unwanted = Set(queries)
    var list = self
    list.tags.removeAll { unwanted.contains($0.query) }
    let known = Set(tags.map(\.query))
    var seen: Set<Query> = []
    return (list, queries.filter { known.contains($0) && seen.insert($0).inserted })
  }

  /// Returns the list without `queries`, and these; refuses if one is not there.
  package func removing(
    _ queries: [Query]
  ) throws(TagChangeRefusal) -> (list: TagList, removed: [Query]) {
    let known = Set(tags.map(\.query))
    let absent = queries.filter { !known.contains($0) }
    guard absent.isEmpty else { throw .absent(absent) }
    return removing(presentOf: queries)
  }

  /// Returns the list with a tag changed where it stands.
  ///
  /// Refuses if it is not there, or would become one that is.
  package func editing(
    _ query: Query, _ change: (inout SearchTag) -> Void
  ) throws(TagChangeRefusal) -> TagList {
    guard contains(query) else { throw .absent([query]) }
    var list = self
    // Written by hand, a query may stand there twice.
    for index in tags.indices where tags[index].query == query {
      change(&list.tags[index])
      let name = list.tags[index].query
      guard name == query || !contains(name) else { throw .present([name]) }
    }
    if form == .list, zip(tags, list.tags).contains(where: { !$0.hasSettings && $1.hasSettings }) {
      return list.asObject
    }
    return list
  }
}
