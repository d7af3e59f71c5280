/// Decides which states of a transfer are worth telling.
struct ProgressMeter {
  /// The step in percent; nil means that nothing is told.
  var threshold: Double?
  private var told = TransferProgress(received: -1, expected: nil)

  init(threshold: Double?) { self.threshold = threshold }

  /// The state to be told, when it is a step beyond the last that was.
  mutating func step(received: Int, expected: Int?) -> TransferProgress? {
    guard let threshold, received != told.received else { return nil }
    let progress = TransferProgress(received: received, expected: expected)
    if let percent = progress.percent, let last = told.percent, percent < 100,
      percent - last < threshold
    {
      return nil
    }
    told = progress
    return progress
  }
}
