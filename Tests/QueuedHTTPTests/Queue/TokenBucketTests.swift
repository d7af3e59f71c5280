import Testing

@testable import QueuedHTTP

@Suite struct TokenBucketTests {
  private func moment(_ seconds: Int64) -> Moment { Moment.zero + .seconds(seconds) }

  @Test func `A bucket gives what it holds at once, and then one token after the other`() {
    var bucket = TokenBucket(size: 3, step: .seconds(10), full: .zero)
    for _ in 0..<3 {
      #expect(bucket.opens <= .zero)
      bucket.take(1, at: .zero)
    }
    #expect(bucket.opens == moment(10))
    // Twenty seconds later two tokens are there again.
    bucket.take(1, at: moment(20))
    #expect(bucket.opens <= moment(20))
  }

  @Test func `More tokens than there are can be taken, which delays the next`() {
    var bucket = TokenBucket(size: 3, step: .seconds(10), full: .zero)
    bucket.take(5, at: .zero)
    #expect(bucket.opens == moment(30))
    bucket.take(0, at: .zero)
    #expect(bucket.opens == moment(30))
  }

  @Test func `A bucket of one token is a fixed distance`() {
    var bucket = TokenBucket(size: 1, step: .seconds(10), full: .zero)
    bucket.take(1, at: moment(7))
    #expect(bucket.opens == moment(17))
  }
}
