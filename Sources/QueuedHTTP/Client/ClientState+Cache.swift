extension ClientState {
  /// How many more may be taken in before the queue is full, those that wait for the cache counted.
  var freePlaces: Int {
    let free = queue.freePlaces
    return free == .max ? free : free - lookups.count
  }

  /// Puts a request into the queue for which the server must be asked, if it still waits for the
  /// cache.
  mutating func enter(_ ticket: Ticket, now: Instant) -> Effects {
    decide(now) { state, _ in
      guard state.lookups.remove(ticket.id) != nil, let record = state.records[ticket.id] else {
        return []
      }
      state.records[ticket.id]?.ticket = ticket
      return state.enqueue(ticket, record.priority, now)
    }
  }

  /// Sends a request once more in the slot that it holds.
  mutating func startAgain(_ ticket: Ticket, now: Instant) -> Effects {
    decide(now) { state, _ in
      guard state.records[ticket.id] != nil, state.queue.entries[ticket.id]?.stage == .running
      else { return [] }
      state.records[ticket.id]?.ticket = ticket
      if state.records[ticket.id]?.redirected != nil {
        state.records[ticket.id]?.redirected = nil
        return state.queue.move(ticket.id, to: ticket.lane, now: now.moment)
      }
      state.start(ticket.id, now: now.moment)
      return []
    }
  }

  /// Changes a request's class until it runs, and again while it waits to be sent again.
  mutating func setPriority(_ priority: RequestPriority, of id: RequestID, now: Instant) -> Effects
  {
    decide(now) { state, _ in
      state.records[id]?.priority = priority
      state.queue.setPriority(priority, of: id, now: now.moment)
      return []
    }
  }
}
