/// One who waits for room in a bounded queue.
struct RoomSeeker: Sendable {
  let id: RequestID
  let continuation: CheckedContinuation<Void, Never>
}
