package import ExchangeRecording

/// The mode of a run, decided once: which work, who answers, and whether it is dry.
///
/// | option | work | answers | dry |
/// | --- | --- | --- | --- |
/// | none of these | all | the networks | no |
/// | `--retry-failed` | what the last run did not complete | the networks | no |
/// | `--backfill` | what is left of the windows | the networks | no |
/// | `--offline` | all | the cache, or else the history | no |
/// | `--replay` | all | a recording | no |
/// | `--dry-run` | as without it | nobody: the requests are shown | yes |
package struct RunMode: Sendable {
  package enum Work: Hashable, Sendable {
    /// All searches.
    case all
    /// The searches that the last run like this did not complete.
    case failed
    /// Everything since a date, in windows that can be resumed.
    case windows
  }

  package enum Answers: Sendable {
    case networks
    /// The cache, or else the history.
    case stored
    case recording(ExchangeReplay)
  }

  package let work: Work
  package let answers: Answers
  package let isDry: Bool

  init(_ written: WrittenSettings, for use: SettingsUse, replaying replay: ExchangeReplay?) {
    let isRun = use == .run
    work = written.isBackfill ? .windows : written.retriesFailed ? .failed : .all
    answers = isRun && written.isOffline ? .stored : replay.map(Answers.recording) ?? .networks
    isDry = isRun && written.isDryRun
  }

  /// True if requests are sent.
  package var asksNetworks: Bool { if case .networks = answers { !isDry } else { false } }
}
