/// Decides which progress of a transfer is reported.
struct ProgressMeter {
  /// The response to a request with a body is reported only if it is larger, so that the progress of an
  /// upload ends with its last byte.
  private static let smallResponse = 64 << 10

  /// The step in percent; nil means that nothing is reported.
  let threshold: Double?
  private var reported = TransferProgress(received: 0, expected: nil)

  init(threshold: Double?) { self.threshold = threshold }

  /// Returns the progress if it is at least a step beyond the last one.
  mutating func step(_ progress: TransferProgress) -> TransferProgress? {
    guard let threshold else { return nil }
    let isReceived =
      progress.received != reported.received && !Self.isSmallResponse(progress)
      && Self.isStep(progress.percent, beyond: reported.percent, threshold)
    let isSent =
      progress.sent != reported.sent
      && Self.isStep(progress.sentPercent, beyond: reported.sentPercent, threshold)
    guard isReceived || isSent else { return nil }
    reported = progress
    return progress
  }

  private static func isSmallResponse(_ progress: TransferProgress) -> Bool {
    progress.sent > 0 && max(progress.received, progress.expected ?? 0) <= smallResponse
  }

  private static func isStep(_ percent: Double?, beyond last: Double?, _ threshold: Double) -> Bool
  {
    guard let percent, let last, percent < 100 else { return true }
    return percent - last >= threshold
  }
}
