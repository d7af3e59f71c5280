internal import PostHistory
internal import SearchEngine
internal import SearchModel

extension TagSighting {
  /// The results of the searches of each tag together, in their order.
  ///
  /// They are made when they are asked for, as there may be a million tags.
  static func all(in readings: Readings) -> BatchList<TagSighting> {
    guard let starts = starts(of: readings) else {
      // Each has to be made with an eye on all.
      return BatchList(joined(readings))
    }
    return BatchList(count: starts.count) { place in
      let end = place + 1 < starts.count ? Int(starts[place + 1]) : readings.count
      var sighting = TagSighting(tag: tag(of: readings, at: Int(starts[place])), posts: 0)
      for index in Int(starts[place])..<end { sighting.add(readings[index]) }
      return sighting
    }
  }

  /// The first search of each tag, where all searches of a tag follow each other, as in most plans; nil elsewhere.
  private static func starts(of readings: Readings) -> [UInt32]? {
    var starts: [UInt32] = []
    var tags = FirstPlaces<TagKey>()
    for index in readings.indices {
      let first = tags.first(of: tag(of: readings, at: index), at: index) {
        tag(of: readings, at: $0)
      }
      guard tags.areTogether else { return nil }
      if first == index { starts.append(UInt32(index)) }
    }
    return starts
  }

  private static func joined(_ readings: Readings) -> [TagSighting] {
    var sightings: [TagSighting] = []
    var indices: [TagKey: Int] = [:]
    for index in readings.indices {
      let tag = tag(of: readings, at: index)
      let place = indices[tag] ?? sightings.endIndex
      if place == sightings.endIndex {
        indices[tag] = place
        sightings.append(TagSighting(tag: tag, posts: 0))
      }
      sightings[place].add(readings[index])
    }
    return sightings
  }

  private static func tag(of readings: Readings, at index: Int) -> TagKey {
    let query = readings.query(at: index)
    return TagKey(tag: query.text, isRaw: query.isRaw)
  }

  private mutating func add(_ reading: Reading) {
    if !reading.isFragment { posts += reading.found }
    guard let found = reading.newestFound else { return }
    newest = max(newest ?? found, found)
  }
}
