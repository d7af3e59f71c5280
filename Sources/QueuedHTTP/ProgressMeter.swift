/// Decides which states of a transfer are worth telling.
struct ProgressMeter {
  /// The step in percent; nil means that nothing is told.
  var threshold: Double?
  private var told = TransferProgress(received: 0, expected: nil)

  init(threshold: Double?) { self.threshold = threshold }

  /// The state to be told, when it is a step beyond the last that was.
  mutating func step(_ progress: TransferProgress) -> TransferProgress? {
    guard let threshold else { return nil }
    let isStep =
      progress.received != told.received
      && Self.isStep(progress.percent, beyond: told.percent, threshold)
      || progress.sent != told.sent
        && Self.isStep(progress.sentPercent, beyond: told.sentPercent, threshold)
    guard isStep else { return nil }
    told = progress
    return progress
  }

  private static func isStep(_ percent: Double?, beyond last: Double?, _ threshold: Double) -> Bool
  {
    guard let percent, let last, percent < 100 else { return true }
    return percent - last >= threshold
  }
}
