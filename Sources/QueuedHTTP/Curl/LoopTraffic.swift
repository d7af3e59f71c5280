/// The body bytes that all transfers of a loop moved so far.
final class LoopTraffic {
  var received = 0
  var sent = 0
}
