package import ExchangeRecording
internal import Printing
package import SearchEngine

extension PreparedRun {
  /// Performs the run in its mode; returns the exit status.
  ///
  /// - Parameter recorder: Begins the recording that the run writes; returns nil for none.
  package func perform(
    in surroundings: Surroundings, recorder: (any Transport) throws -> ExchangeRecorder?
  ) async throws -> CommandStatus {
    switch (settings.mode.isDry, settings.mode.answers) {
    case (true, _):
      return try showRequests(in: surroundings)
    case (false, .networks):
      return try await askNetworks(in: surroundings, recorder: recorder)
    case (false, .stored):
      let offline = OfflineRun(self, surroundings: surroundings)
      let answered = try await offline.plan(plan)
      if let ages = OfflineRun.ages(of: answered) { note(ages, in: surroundings) }
      let session = SearchSession(over: NoTransport(), in: surroundings)
      return try await SearchRun(self, plan: answered, in: session, surroundings).perform()
    case (false, .recording(let replay)):
      try prepareOutput(for: plan, in: surroundings)
      let session = SearchSession(replaying: replay, in: surroundings)
      return try await SearchRun(self, plan: plan, in: session, isRecorded: true, surroundings)
        .perform()
    }
  }

  /// Shows the requests that the run would send, without sending them.
  private func showRequests(in surroundings: Surroundings) throws -> CommandStatus {
    try DryRun(plan: plan, limits: settings.limits, now: settings.now)
      .write(as: .init(settings.output.format), to: surroundings.output)
    note(RunEstimate(of: plan, limits: settings.limits).line, in: surroundings)
    return .success
  }

  private func askNetworks(
    in surroundings: Surroundings, recorder: (any Transport) throws -> ExchangeRecorder?
  ) async throws -> CommandStatus {
    let history = try RunHistory(
      for: settings, named: name, filter: filter, alerts: alerts,
      plan: plan, in: surroundings)
    let plan = history?.adapted(plan) ?? plan
    var shown: Set<Int>?
    if settings.showsCacheFirst(in: surroundings) {
      shown = try await OfflineRun(self, surroundings: surroundings).showCached(plan)
    }
    try prepareOutput(for: plan, in: surroundings)
    history?.prepare()
    return try await SearchRun(
      self, plan: plan, history: history, shown: shown, in: surroundings, recorder: recorder
    ).perform()
  }

  /// A run that is expected to take longer says so before it begins.
  private static let longestUnannounced = Duration.seconds(60)

  /// Announces a long run, and refuses an output that cannot be written.
  private func prepareOutput(
    for plan: [PlannedSearch], in surroundings: Surroundings
  ) throws {
    if !settings.reports.isQuiet {
      let estimate = RunEstimate(of: plan, limits: settings.limits)
      if estimate.time > Self.longestUnannounced { note(estimate.line, in: surroundings) }
    }
    try RunPrinter(settings: settings, surroundings: surroundings).checkOutput()
  }

  private func note(_ line: @autoclosure () -> String, in surroundings: Surroundings) {
    if !settings.reports.isQuiet { surroundings.report(line()) }
  }
}
