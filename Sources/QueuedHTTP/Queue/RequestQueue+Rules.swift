extension RequestQueue {
  /// The limits that a queue begins with; limits and paces may change later.
  package struct Rules: Sendable {
    /// Maximum number of running requests.
    var limit: Int
    /// Maximum number of running requests in a lane that has no limit of its own.
    var laneLimit: Int
    var capacity: QueueCapacity
    /// The head start of each priority over the next lower one.
    var ageing: Duration

    package init(
      limit: Int = 16, laneLimit: Int = 4, capacity: QueueCapacity = .unbounded,
      ageing: Duration = .seconds(15)
    ) {
      self.limit = limit
      self.laneLimit = laneLimit
      self.capacity = capacity
      self.ageing = ageing
    }
  }
}
