internal import PostHistory
internal import SearchEngine
internal import SearchModel

extension TagSighting {
  /// The results of the searches of each tag together, in their order.
  static func all(in readings: some Sequence<Reading>) -> [TagSighting] {
    var sightings: [TagSighting] = []
    var indices: [TagKey: Int] = [:]
    for reading in readings {
      let query = reading.search.query
      let key = TagKey(tag: query.text, isRaw: query.isRaw)
      let index = indices[key] ?? sightings.endIndex
      if index == sightings.endIndex {
        indices[key] = index
        sightings.append(TagSighting(tag: key, posts: 0))
      }
      if !reading.isFragment { sightings[index].posts += reading.found }
      guard let newest = reading.newestFound else { continue }
      sightings[index].newest = max(sightings[index].newest ?? newest, newest)
    }
    return sightings
  }
}
