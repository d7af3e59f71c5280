/// How long a client is told to wait, and until when, by the real clock.
struct Wait: Sendable {
  let seconds: Int
  /// In milliseconds since 1970.
  let now: Int

  /// The moment of the end, in milliseconds since 1970.
  var end: Int { now + seconds * 1000 }
  /// The same in whole seconds.
  var endSeconds: Int { end / 1000 }
}
