package import SearchModel

/// The readings of all searches of a plan, in plan order.
///
/// Each element is made when it is asked for: a run may have a million searches, and an element is larger than
/// what the run itself keeps of one.
package struct Readings: RandomAccessCollection, Sendable {
  private let plan: [PlannedSearch]
  private let states: [SearchState]
  /// The indices of the searches in the plan.
  private let places: [UInt32]

  /// - Parameter isIncluded: Returns whether to include a search, by its index.
  init(of plan: [PlannedSearch], _ states: [SearchState], isIncluded: (Int) -> Bool) {
    (self.plan, self.states) = (plan, states)
    var places: [UInt32] = []
    places.reserveCapacity(plan.count)
    for index in plan.indices where isIncluded(index) {
      if case .skip = plan[index] { continue }
      places.append(UInt32(index))
    }
    self.places = places
  }

  private init(_ plan: [PlannedSearch], _ states: [SearchState], places: [UInt32]) {
    (self.plan, self.states, self.places) = (plan, states, places)
  }

  /// Returns some of the readings.
  package func only(where isIncluded: (Reading) -> Bool) -> Readings {
    var kept: [UInt32] = []
    for (reading, place) in zip(self, places) where isIncluded(reading) { kept.append(place) }
    return Readings(plan, states, places: kept)
  }

  /// Readings of no search.
  package init() { (plan, states, places) = ([], [], []) }

  package var startIndex: Int { 0 }
  package var endIndex: Int { places.count }

  package subscript(position: Int) -> Reading {
    let place = Int(places[position])
    guard let reading = Self.reading(of: plan[place], states[place]) else {
      preconditionFailure("only searches that are not skipped have places")
    }
    return reading
  }

  /// The query of a search, without its reading.
  package func query(at position: Int) -> Query {
    switch plan[Int(places[position])] {
    case .ask(let search): search.query
    case .stored(let stored): stored.search.query
    case .skip: preconditionFailure("only searches that are not skipped have places")
    }
  }

  /// The reading of a search; nil for one that is skipped.
  static func reading(of planned: PlannedSearch, _ state: SearchState) -> Reading? {
    switch planned {
    case .ask(let search): state.reading(of: search)
    case .stored(let stored): Reading(stored)
    case .skip: nil
    }
  }
}
