extension RunBatch {
  /// True for the batch of a plain run, which matters only once somebody reads the history.
  var isPlain: Bool {
    printed.isEmpty && outbox.isEmpty
      && findings.allSatisfy { finding in
        finding.memory == nil && finding.window == nil && finding.known.isEmpty
          && finding.skimmed.isEmpty && (keepsPosts || finding.posts.isEmpty)
      }
  }

  /// The part of the batch that costs next to nothing, for a run that a signal ends: marks, memories,
  /// the outbox and what a retry needs, and no posts.
  ///
  /// Parts that need the posts are left out, too: `--retry-failed` repeats the searches that found some,
  /// and `--offline` answers from an earlier run.
  package var withoutBodies: RunBatch {
    var batch = self
    batch.keepsPosts = false
    batch.prunesBefore = nil
    // A tag of which nothing had arrived was not seen.
    batch.sightings = BatchList(sightings.filter { $0.posts > 0 })
    var withPosts: Set<SearchKey> = []
    batch.findings = BatchList(
      findings.map { finding in
        var finding = finding
        if !finding.posts.isEmpty { withPosts.insert(finding.search) }
        finding.posts.removeAll { !printed.contains(PostIdentity($0)) }
        finding.isAnswered = false
        finding.window = nil
        return finding
      })
    if let parts = run?.parts {
      batch.run?.parts = BatchList(parts.filter { !withPosts.contains($0.search) })
    }
    return batch
  }
}
