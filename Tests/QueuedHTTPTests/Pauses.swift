/// The pauses between the requests of a test that counts connections.
///
/// libcurl opens another connection in the place of one that nobody has used for 118 s
/// (CURLOPT_MAXAGE_CONN), and on a machine that is busy enough a test may have to wait for as long.
struct Pauses {
  private var last = ContinuousClock.now
  /// Whether no pause so far was long enough for a connection to grow old.
  private(set) var areShort = true

  /// A request has ended.
  mutating func note() {
    let now = ContinuousClock.now
    if now - last > .seconds(60) { areShort = false }
    last = now
  }
}
