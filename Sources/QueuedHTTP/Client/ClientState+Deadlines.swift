internal import HeapModule

extension ClientState {
  /// Has a request end once its deadline has passed.
  mutating func keep(_ deadline: Duration, of id: RequestID) {
    guard let arrival = records[id]?.arrival else { return }
    let moment = arrival + deadline
    records[id]?.deadline = moment
    deadlines.insert(RequestQueue.Alarm(moment: moment, subject: id))
    guard deadlines.count > 2 * records.count + 64 else { return }
    deadlines = Heap(deadlines.unordered.filter { records[$0.subject] != nil })
  }

  /// The next moment at which `advance` has something to do.
  mutating func nextDeadline() -> Moment? {
    while let alarm = deadlines.min, records[alarm.subject] == nil { deadlines.removeMin() }
    guard let own = deadlines.min?.moment else { return queue.nextDeadline() }
    return min(own, queue.nextDeadline() ?? own)
  }

  /// Does what became due: ends the requests whose deadline has passed, and lets the queue go on.
  mutating func advance(now: Instant) -> Effects {
    decide(now) { state, effects in
      var late: [RequestID] = []
      while let alarm = state.deadlines.min, alarm.moment <= now.moment {
        state.deadlines.removeMin()
        guard let record = state.records[alarm.subject], !record.isEnding else { continue }
        if state.queue.entries[alarm.subject]?.stage == .running {
          state.commands.append(.remove(alarm.subject))
        }
        let limit = Wording.time(record.ticket.request.deadline ?? .zero)
        let error = HTTPError(.deadline, reason: "not done within its deadline of \(limit)")
        state.settle(alarm.subject, .failure(error), &effects)
        late.append(alarm.subject)
      }
      let actions = late.isEmpty ? [] : state.queue.cancel(late, now: now.moment)
      return actions + state.queue.advance(now: now.moment)
    }
  }
}
